import type { TableView } from "../messages";
import { t } from "../i18n";
import { Tile, tileName } from "../tiles";

/** What the hand waits for: copies left and what they pay. */
export function Waits({ view }: { view: TableView }) {
  if (!view.waits.length || view.over) return null;
  const unseen = view.waits.reduce((sum, wait) => sum + wait.unseen, 0);
  const prices = (field: "by_discard" | "by_draw") => {
    const all = view.waits.map((wait) => wait[field]).filter((points) => points >= 0);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return all.length ? (low === high ? String(low) : `${low}–${high}`) : null;
  };
  const [discard, draw] = [prices("by_discard"), prices("by_draw")];
  const lines = view.waits.map((wait) =>
    t("wait_line", { tile: tileName(wait.tile), by_discard: shown(wait.by_discard), by_draw: shown(wait.by_draw), n: wait.unseen }),
  );
  return (
    <div class="waits" role="img" aria-label={`${t("waits")}: ${lines.join("; ")}`} title={lines.join("\n")}>
      <b>{t("waits")}</b>
      <span class="wait-tiles" data-many={view.waits.length > 5}>
        {view.waits.map((wait) => (
          <span class={wait.unseen ? "wait" : "wait gone"}>
            <Tile kind={wait.tile} wild={view.wild.includes(wait.tile)} />
            <sub class="num">{wait.unseen}</sub>
          </span>
        ))}
      </span>
      <small>
        {t("waits_left", { n: unseen })}
        {discard && ` · ${t("waits_discard", { n: discard })}`}
        {draw && ` · ${t("waits_draw", { n: draw })}`}
      </small>
    </div>
  );
}

const shown = (points: number) => (points < 0 ? "–" : points);
