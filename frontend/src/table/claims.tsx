import { useEffect, useState } from "preact/hooks";
import type { ActionShown, Prompt } from "../messages";
import { t, type Key } from "../i18n";
import { Tile, tileName } from "../tiles";

const LABELS: Record<ActionShown["kind"], Key> = {
  discard: "pass",
  draw_win: "draw_win",
  claim_win: "win",
  pass: "pass",
  pung: "pung",
  chow: "chow",
  kong: "kong",
};
const ORDER: ActionShown["kind"][] = ["chow", "kong", "pung", "claim_win", "draw_win"];

export const isWin = (action: ActionShown): boolean => action.kind === "draw_win" || action.kind === "claim_win";

export const actionName = (action: ActionShown, prompt: Prompt): string =>
  prompt.kind === "rob" && action.kind === "claim_win" ? t("rob") : t(LABELS[action.kind]);

/** The legal claims as large buttons, 过 apart from them. `careful`: passing on a win asks again. */
export function Claims({ prompt, wild, choose, careful }: {
  prompt: Prompt | null;
  wild: readonly string[];
  choose: (action: ActionShown) => void;
  careful: boolean;
}) {
  const [sure, ask] = useState(-1);
  useEffect(() => ask(-1), [prompt?.id]);
  const actions = (prompt?.actions ?? [])
    .filter((action) => action.kind !== "discard" && action.kind !== "pass")
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const pass = prompt?.actions.find((action) => action.kind === "pass");
  const winning = careful && actions.some((action) => action.kind === "claim_win");
  if (!prompt || (!actions.length && !pass)) return <div class="claims" aria-hidden="true" />;
  const decline = () => {
    if (winning && sure !== prompt.id) ask(prompt.id);
    else choose(pass!);
  };
  return (
    <div class="claims" role="group" aria-label={t("actions_label")}>
      {pass && (
        <button type="button" class={`claim pass ${sure === prompt.id ? "asking" : ""}`} data-action="pass" onClick={decline}>
          {sure === prompt.id ? t("pass_win") : t("pass")}
        </button>
      )}
      <span class="between" />
      {actions.map((action) => (
        <button
          type="button"
          key={action.action}
          class={`claim ${action.kind} ${isWin(action) ? "wins" : ""}`}
          data-action={action.kind}
          aria-label={`${actionName(action, prompt)} ${action.tiles.map(tileName).join(" ")}`}
          onClick={() => choose(action)}
        >
          <span>{actionName(action, prompt)}</span>
          <span class="with">
            {faces(action, prompt).map((kind) => (
              <Tile kind={kind} wild={wild.includes(kind)} />
            ))}
          </span>
        </button>
      ))}
    </div>
  );
}

/** What a button shows: a chow its run, everything else one tile. */
function faces(action: ActionShown, prompt: Prompt): string[] {
  if (action.kind === "chow") return action.tiles.length === 3 || !prompt.tile ? action.tiles : [...action.tiles, prompt.tile].sort();
  const tile = action.tiles[0] ?? prompt.tile;
  return tile ? [tile] : [];
}
