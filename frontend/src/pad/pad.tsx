import { useState } from "preact/hooks";
import type { SheetForm } from "../messages";
import { t, type Key } from "../i18n";
import { sortTiles, Tile, tileName } from "../tiles";
import { Choice } from "../ui";
import { EMPTY, tilesOf, used, wanted, type Form, type Held, type Laid } from "./held";
import "./pad.css";

export type Target = "hand" | "win" | "seen" | Form;

/** The claims of a sheet by the form of their melds. */
const CLAIM: Record<Form, string> = { chow: "chow", pung: "pung", exposed: "exposed_kong", added: "added_kong", concealed: "concealed_kong" };
const COPIES = 4;

/** A hand and the keyboard that lays it: what the next key means is chosen above the keys, a tap on a laid tile takes it back.
 * `more`: how many tiles there may be beyond those at rest. */
export function Pad({ held, set, sheet, claims, ends, more = 0 }: {
  held: Held;
  set: (held: Held) => void;
  sheet: SheetForm;
  claims: readonly string[];
  /** Where tiles go beside the hand and its melds. */
  ends: "win" | "seen";
  more?: number;
}) {
  const [chosen, choose] = useState<Target>("hand");
  const full = held.concealed.length >= wanted(held) + more;
  const target = chosen === "hand" && full && ends === "win" && !held.win ? "win" : chosen;
  const count = used(held);
  const left = (kind: string) => COPIES - (count.get(kind) ?? 0);
  const forms = (Object.keys(CLAIM) as Form[]).filter((form) => claims.includes(CLAIM[form]));
  const roomy = held.melds.length < 4 && held.concealed.length <= wanted(held) + more - 3;

  const may = (kind: string): boolean => {
    if (target === "win") return left(kind) > 0 || held.win === kind;
    if (target === "hand") return !full && left(kind) > 0;
    if (target === "seen") return left(kind) > 0;
    if (!roomy || sheet.wild.includes(kind) || (target === "chow" && (kind[1] === "z" || Number(kind[0]) > 7))) return false;
    const needs = new Map<string, number>();
    for (const one of tilesOf({ form: target, kind })) needs.set(one, (needs.get(one) ?? 0) + 1);
    return [...needs].every(([one, n]) => left(one) >= n);
  };
  const press = (kind: string) => {
    if (target === "win") set({ ...held, win: kind });
    else if (target === "seen") set({ ...held, seen: sortTiles([...held.seen, kind]) });
    else if (target === "hand") set({ ...held, concealed: sortTiles([...held.concealed, kind], sheet.wild) });
    else {
      set({ ...held, melds: [...held.melds, { form: target, kind }] });
      choose("hand");
    }
  };
  return (
    <section class="paper pad">
      <HeldTiles held={held} set={set} sheet={sheet} ends={ends} more={more} />
      <Choice label={t("pad_target")} hidden value={target} options={(["hand", ends, ...forms] as Target[]).map((one) => [one, t(`pad_${one}` as Key)] as const)} set={choose} />
      <div class="row spread nowrap">
        <p class="soft pad-why">{t(`pad_why_${target}` as Key)}</p>
        <button type="button" class="button" disabled={held === EMPTY} onClick={() => set(EMPTY)}>
          {t("pad_clear")}
        </button>
      </div>
      <div class="keys" role="group" aria-label={t("pad_keys")}>
        {["m", "s", "p", "z"].map((suit) => {
          const kinds = sheet.tiles.filter((kind) => kind[1] === suit);
          return (
            kinds.length > 0 && (
              <div class="keys-row">
                {kinds.map((kind) => (
                  <button type="button" class="key" key={kind} disabled={!may(kind)} aria-label={tileName(kind)} onClick={() => press(kind)}>
                    <Tile kind={kind} indexed wild={sheet.wild.includes(kind)} />
                  </button>
                ))}
              </div>
            )
          );
        })}
      </div>
    </section>
  );
}

function HeldTiles({ held, set, sheet, ends, more }: { held: Held; set: (held: Held) => void; sheet: SheetForm; ends: "win" | "seen"; more: number }) {
  const without = <T,>(list: readonly T[], at: number) => list.filter((_, i) => i !== at);
  const missing = wanted(held) - held.concealed.length;
  const tile = (kind: string, gone: Held, more = "") => (
    <button type="button" class={`laid ${more}`} aria-label={t("pad_take", { tile: tileName(kind) })} onClick={() => set(gone)}>
      <Tile kind={kind} indexed wild={sheet.wild.includes(kind)} />
    </button>
  );
  return (
    <div class="held" role="group" aria-label={t("hand_label")}>
      <span class="held-row">
        {held.concealed.map((kind, at) => tile(kind, { ...held, concealed: without(held.concealed, at) }))}
        {held.win && tile(held.win, { ...held, win: "" }, "winning")}
        {missing > 0 && <small class="soft">{t("pad_missing", { n: missing })}</small>}
        {missing <= 0 && ends === "win" && !held.win && <small class="soft">{t("pad_missing_win")}</small>}
        {missing < -more && <small class="wrong">{t("pad_too_many", { n: -more - missing })}</small>}
      </span>
      {held.melds.length > 0 && (
        <span class="held-row">
          {held.melds.map((meld, at) => (
            <button
              type="button"
              class="laid"
              aria-label={t("pad_take", { tile: `${t(`pad_${meld.form}` as Key)} ${tilesOf(meld).map(tileName).join(" ")}` })}
              onClick={() => set({ ...held, melds: without(held.melds, at) })}
            >
              <MeldTiles meld={meld} />
            </button>
          ))}
        </span>
      )}
      {held.seen.length > 0 && (
        <span class="held-row seen">
          <small class="soft">{t("pad_seen")}</small>
          {held.seen.map((kind, at) => tile(kind, { ...held, seen: without(held.seen, at) }))}
        </span>
      )}
    </div>
  );
}

function MeldTiles({ meld }: { meld: Laid }) {
  const tiles = tilesOf(meld);
  return (
    <span class="tiles">
      {tiles.map((kind, i) => (
        <Tile kind={meld.form === "concealed" && (i === 0 || i === 3) ? "?" : kind} turned={meld.form !== "concealed" && i === 0} />
      ))}
    </span>
  );
}
