import { parseTiles, sortTiles, writeTiles } from "../tiles";

export type Form = "chow" | "pung" | "exposed" | "added" | "concealed";

/** A meld as a person lays it: its form and its tile, of a chow the lowest. */
export interface Laid {
  form: Form;
  kind: string;
}

/** A hand as it is typed in. `win`: the winning tile, empty for none; `seen`: tiles that lie elsewhere. */
export interface Held {
  concealed: string[];
  melds: Laid[];
  win: string;
  seen: string[];
}

export const EMPTY: Held = { concealed: [], melds: [], win: "", seen: [] };

export function tilesOf({ form, kind }: Laid): string[] {
  if (form === "chow") return [0, 1, 2].map((step) => `${Number(kind[0]) + step}${kind[1]}`);
  return Array<string>(form === "pung" ? 3 : 4).fill(kind);
}

/** A meld in the notation of records: `(345m)`, `(888p)`, `(2222s+)`, `[2222s]`. */
export function meldText(meld: Laid): string {
  const text = writeTiles(tilesOf(meld));
  return meld.form === "concealed" ? `[${text}]` : meld.form === "added" ? `(${text}+)` : `(${text})`;
}

export function readMeld(text: string): Laid {
  const tiles = parseTiles(text);
  const form = text.startsWith("[") ? "concealed" : text.includes("+") ? "added" : tiles.length === 4 ? "exposed" : tiles[0] === tiles[1] ? "pung" : "chow";
  return { form, kind: sortTiles(tiles)[0] ?? "" };
}

/** Concealed tiles beside these melds, the winning one not among them. */
export const wanted = (held: Held): number => 13 - 3 * held.melds.length;

/** Copies of each kind that are spoken for. */
export function used(held: Held): Map<string, number> {
  const count = new Map<string, number>();
  for (const kind of [...held.concealed, held.win, ...held.seen, ...held.melds.flatMap(tilesOf)]) if (kind) count.set(kind, (count.get(kind) ?? 0) + 1);
  return count;
}
