import { useState } from "preact/hooks";
import { t } from "../i18n";
import { keepFile } from "../records";

/** Chooses a record's file, which the server checks and keeps. */
export function UploadFile({ done }: { done: (id: string) => void }) {
  const [problem, tell] = useState("");
  const [busy, work] = useState(false);
  const choose = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file) return;
    work(true);
    tell("");
    try {
      done((await keepFile(file)).id);
    } catch (error) {
      tell((error as Error).message);
    }
    input.value = "";
    work(false);
  };
  return (
    <div class="stack">
      <label class="button upload" aria-busy={busy}>
        {busy ? t("loading") : t("replay_upload")}
        <input type="file" class="hidden-text" accept=".jsonl,.ndjson,.json,.txt" disabled={busy} onChange={(event) => void choose(event.currentTarget)} />
      </label>
      <p class="soft">{t("replay_upload_why")}</p>
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
