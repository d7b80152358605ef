import { signal } from "@preact/signals";
import { pick, t } from "./i18n";
import type { RuleForms, SheetForm } from "./messages";
import { random } from "./random";

/** What the server refused, in the player's language. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

/** This browser's own id, under which the server keeps its records and house rules; empty where nothing is kept. */
export const owner: string = (() => {
  try {
    const kept = localStorage.getItem("hz.owner") ?? random();
    localStorage.setItem("hz.owner", kept);
    return kept;
  } catch {
    return "";
  }
})();

export const apiUrl = (path: string): string => new URL(`api/${path}`, location.href.split("#")[0]).href;

async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(apiUrl(path), { ...init, headers: { ...init.headers, "x-browser": owner } });
  } catch {
    throw new ApiError(t("no_server"), "no_server", 0);
  }
  const type = answer.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await answer.json() : await answer.text();
  if (answer.ok) return body as T;
  const known = body as { code?: string; zh?: string; en?: string; field?: string | null };
  if (known.zh && known.en) throw new ApiError(pick(known as never), known.code ?? "", answer.status, known.field ?? null);
  throw new ApiError(t("server_error", { status: answer.status }), "server_error", answer.status);
}

export const get = <T>(path: string): Promise<T> => call<T>(path);
export const remove = <T>(path: string): Promise<T> => call<T>(path, { method: "DELETE" });
/** A file as it is, a record for instance. */
export const upload = <T>(path: string, text: string): Promise<T> =>
  call<T>(path, { method: "POST", headers: { "content-type": "application/jsonl" }, body: text });
export const post = <T>(path: string, body: unknown = {}): Promise<T> =>
  call<T>(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** The rule sheets as forms, the bots and the phrases; null until they are here. */
export const forms = signal<RuleForms | null>(null);

let asked: Promise<void> | null = null;
/** Fetches `forms` once; a failure is tried again at the next call. Rejects with `ApiError`. */
export function loadForms(): Promise<void> {
  asked ??= get<RuleForms>("rules").then(
    (answer) => void (forms.value = answer),
    (error) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

export const sheetOf = (id: string): SheetForm | undefined => forms.value?.sheets.find((sheet) => sheet.id === id);
