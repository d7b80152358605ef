import { useEffect, useState } from "preact/hooks";
import { apiUrl, get, owner, remove } from "../api";
import { counted, t } from "../i18n";
import type { RecordCard, RecordList } from "../messages";
import { recordLink, rulesName, when } from "../records";
import { go, href } from "../router";
import { copy, Page, Sheet, signed } from "../ui";
import { UploadFile } from "./upload";

/** The records that this browser keeps: of its own matches, and those it brought. */
export function HistoryPage() {
  const [records, list] = useState<RecordCard[] | null>(null);
  const [before, keep] = useState<number | null>(null);
  const [problem, tell] = useState("");
  const [leaving, ask] = useState<RecordCard | null>(null);
  const load = (from: number | null) =>
    get<RecordList>(from === null ? "records" : `records?before=${from}`).then(
      (answer) => {
        list((now) => [...(from === null ? [] : (now ?? [])), ...answer.records]);
        keep(answer.before);
        tell("");
      },
      (error: Error) => tell(error.message),
    );
  useEffect(() => void load(null), []);
  const drop = (card: RecordCard) => {
    ask(null);
    remove(`records/${card.id}`).then(
      () => list((now) => now?.filter((one) => one.id !== card.id) ?? null),
      (error: Error) => tell(error.message),
    );
  };
  return (
    <Page title={t("history_title")}>
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {!owner && <p class="notice">{t("history_no_owner")}</p>}
      {records?.length === 0 && (
        <section class="paper">
          <p>{t("history_none")}</p>
        </section>
      )}
      {records?.map((card) => (
        <RecordPaper key={card.id} card={card} drop={() => ask(card)} />
      ))}
      {before !== null && (
        <button type="button" class="button" onClick={() => void load(before)}>
          {t("history_more")}
        </button>
      )}
      <section class="paper">
        <UploadFile done={(id) => go("replay", id)} />
      </section>
      {leaving && (
        <Sheet
          title={t("history_delete")}
          close={() => ask(null)}
          foot={
            <>
              <button type="button" class="button" onClick={() => ask(null)}>
                {t("cancel")}
              </button>
              <button type="button" class="button danger" data-action="delete" onClick={() => drop(leaving)}>
                {t("history_delete")}
              </button>
            </>
          }
        >
          <p>{t("history_delete_why", { what: `${rulesName(leaving)}, ${when(leaving.kept)}` })}</p>
        </Sheet>
      )}
    </Page>
  );
}

function RecordPaper({ card, drop }: { card: RecordCard; drop: () => void }) {
  const [copied, say] = useState(false);
  const best = Math.max(...card.scores);
  const share = async () => {
    say(await copy(recordLink(card.id)));
    setTimeout(() => say(false), 2000);
  };
  return (
    <section class="paper record" aria-label={`${rulesName(card)} ${when(card.kept)}`}>
      <div class="row spread">
        <h2>{rulesName(card)}</h2>
        <span class="soft">
          {when(card.kept)} · {counted("hand", card.hands)}
        </span>
      </div>
      <ul class="four-players">
        {card.players.map((name, seat) => (
          <li class={card.scores[seat] === best ? "first" : ""}>
            <span>
              {name}
              {seat === card.seat && <small class="soft"> {t("you")}</small>}
            </span>
            <b class="num">{signed(card.scores[seat] ?? 0)}</b>
          </li>
        ))}
      </ul>
      <div class="row">
        <a class="button main" href={href("replay", card.id)}>
          {t("replay")}
        </a>
        <a class="button" href={apiUrl(`records/${card.id}/file`)} download>
          {t("history_file")}
        </a>
        <button type="button" class="button" onClick={() => void share()}>
          <span aria-live="polite">{t(copied ? "copied" : "copy_link")}</span>
        </button>
        <a class="button" href={href("verify", card.id)}>
          {t("verify")}
        </a>
        <button type="button" class="button danger" onClick={drop}>
          {t("history_delete")}
        </button>
      </div>
    </section>
  );
}
