import type { Prompt, TableView } from "../messages";
import { t } from "../i18n";
import type { Session } from "../session";
import { Tile, tileName, Tiles } from "../tiles";

/** Asks for advice on the own turn and shows what the raised tile, else the best discard, would leave. */
export function HintLine({ session, prompt, view, picked }: {
  session: Session;
  prompt: Prompt | null;
  view: TableView;
  picked: string | null;
}) {
  if (!prompt || prompt.auto || prompt.kind !== "turn") return null;
  const hint = session.hint.value;
  const discards = hint?.prompt === prompt.id ? hint.discards : [];
  const best = discards.find((discard) => discard.tile === picked) ?? discards[0];
  if (!best)
    return (
      <button type="button" class="hint-button" onClick={() => session.send({ type: "ask_hint", prompt: prompt.id })}>
        {t("hint")}
      </button>
    );
  return (
    <p class="hint" role="status" aria-label={t("hint_best", { tile: tileName(best.tile) })}>
      <Tile kind={best.tile} wild={view.wild.includes(best.tile)} />
      <small>
        {best.away > 0 ? t("hint_away", { n: best.away }) : t("hint_ready")} · {t("hint_useful", { n: best.copies })}
      </small>
      {best.away === 0 && best.kinds.length < 7 && <Tiles kinds={best.kinds} wild={view.wild} />}
    </p>
  );
}
