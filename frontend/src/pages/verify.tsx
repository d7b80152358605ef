import { useEffect, useState } from "preact/hooks";
import { get, upload } from "../api";
import { derive } from "../fair";
import { pick, t } from "../i18n";
import type { Verified } from "../messages";
import { recordId } from "../records";
import { go, href, route } from "../router";
import { Field, Icon, Page } from "../ui";

/** Does a record follow, line by line, and were its walls settled beforehand: `#/verify/ID`, or a file. */
export function VerifyPage() {
  const [id = ""] = route.value.args;
  const [text, write] = useState("");
  const [wrong, blame] = useState("");
  const [verified, show] = useState<Verified | null>(null);
  const [problem, tell] = useState("");
  const [busy, work] = useState(false);
  const check = async (asking: Promise<Verified>) => {
    work(true);
    tell("");
    show(null);
    try {
      show(await asking);
    } catch (error) {
      tell((error as Error).message);
    }
    work(false);
  };
  useEffect(() => {
    if (id) void check(get<Verified>(`records/${encodeURIComponent(id)}/verify`));
  }, [id]);
  const open = (event: Event) => {
    event.preventDefault();
    const found = recordId(text);
    if (found === id && id) void check(get<Verified>(`records/${encodeURIComponent(id)}/verify`));
    else if (found) go("verify", found);
    else blame(t("replay_find_wrong"));
  };
  const read = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file) await check(file.text().then((lines) => upload<Verified>("verify", lines)));
    input.value = "";
  };
  return (
    <Page title={t("verify_title")}>
      <form class="paper" onSubmit={open}>
        <p class="soft">{t("verify_why")}</p>
        <Field label={t("replay_find")} wrong={wrong}>
          <span class="row nowrap">
            <input class="grow" value={text} autocomplete="off" spellcheck={false} onInput={(event) => (write(event.currentTarget.value), blame(""))} />
            <button class="button">{t("verify")}</button>
          </span>
        </Field>
        <label class="button" aria-busy={busy}>
          {busy ? t("loading") : t("verify_file")}
          <input type="file" class="hidden-text" accept=".jsonl,.ndjson,.json,.txt" disabled={busy} onChange={(event) => void read(event.currentTarget)} />
        </label>
      </form>
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {verified && <Checks verified={verified} id={id} />}
    </Page>
  );
}

function Checks({ verified, id }: { verified: Verified; id: string }) {
  const derived = derive(verified);
  const right = derived?.walls.filter(Boolean).length ?? 0;
  const first = derived ? derived.walls.indexOf(false) : -1;
  return (
    <section class="paper checks" aria-live="polite">
      <h2>{t("verify_play")}</h2>
      <Line good={verified.ok} text={pick(verified)} />
      {verified.notes.map((note) => (
        <p class="soft">{pick(note)}</p>
      ))}
      <h2>{t("verify_walls")}</h2>
      {derived ? (
        <>
          <p class="soft">{t("verify_here")}</p>
          <Line good={derived.committed} text={t(derived.committed ? "verify_committed" : "verify_not_committed")} />
          <Line good={first < 0} text={first < 0 ? t("verify_walls_right", { n: right }) : t("verify_wall_wrong", { n: first + 1 })} />
          <p class="soft break">
            {t("commitment")} {verified.commitment}
          </p>
          <p class="soft break">
            {t("secret")} {verified.secret}
          </p>
          <p class="soft">{t(verified.nonces.some(Boolean) ? "verify_nonces" : "verify_no_nonces")}</p>
        </>
      ) : (
        <p>{t(verified.commitment === null ? "verify_uncommitted" : "verify_unopened")}</p>
      )}
      {id && verified.ok && (
        <a class="button" href={href("replay", id)}>
          {t("to_replay")}
        </a>
      )}
    </section>
  );
}

function Line({ good, text }: { good: boolean; text: string }) {
  return (
    <p class={good ? "check-line good" : "check-line bad"}>
      <Icon name={good ? "check" : "close"} /> <span>{text}</span>
    </p>
  );
}
