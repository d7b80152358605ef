import type { HTMLAttributes } from "preact";
import sheet from "./generated/tiles.svg";
import { settings } from "./settings";

export const KINDS: readonly string[] = [
  ..."msp".split("").flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${n}${suit}`)),
  ...[1, 2, 3, 4, 5, 6, 7].map((n) => `${n}z`),
];
const ORDER = new Map(KINDS.map((kind, place) => [kind, place]));
const DIGITS = "一二三四五六七八九";
const HONOURS_ZH = ["东风", "南风", "西风", "北风", "白板", "发财", "红中"];
const HONOURS_EN = ["east", "south", "west", "north", "white dragon", "green dragon", "red dragon"];
const SUIT_ZH: Record<string, string> = { m: "万", s: "条", p: "筒" };
const SUIT_EN: Record<string, string> = { m: "character", s: "bamboo", p: "dot" };

/** Kinds of a text such as `123m7z`; `*` after a digit (a wild tile's stand-in) is dropped. */
export function parseTiles(text: string): string[] {
  const found: string[] = [];
  for (const group of text.matchAll(/([0-9?*]+)([mspz]?)/g))
    for (const digit of group[1]!.replace(/\*/g, "")) found.push(digit === "?" ? "?" : digit + group[2]);
  return found;
}

/** Kinds as text, `1m2m3m7z` as `123m7z`. */
export function writeTiles(kinds: readonly string[]): string {
  let text = "";
  kinds.forEach((kind, i) => {
    text += kind[0];
    if (kinds[i + 1]?.[1] !== kind[1]) text += kind[1];
  });
  return text;
}

export const sortTiles = (kinds: readonly string[], wild: readonly string[] = []): string[] =>
  [...kinds].sort((a, b) => rank(a, wild) - rank(b, wild));
const rank = (kind: string, wild: readonly string[]) => (wild.includes(kind) ? -1 : (ORDER.get(kind) ?? 99));

/** What a player calls the tile. */
export function tileName(kind: string): string {
  const zh = settings.lang.value === "zh";
  if (kind === "?") return zh ? "暗牌" : "hidden tile";
  const n = Number(kind[0]) - 1;
  if (kind[1] === "z") return (zh ? HONOURS_ZH : HONOURS_EN)[n]!;
  return zh ? DIGITS[n]! + SUIT_ZH[kind[1]!] : `${n + 1} ${SUIT_EN[kind[1]!]}`;
}

function index(kind: string): string {
  if (kind[1] !== "z") return kind[0]!;
  return (settings.lang.value === "zh" ? "东南西北白发中" : "ESWNPFC")[Number(kind[0]) - 1]!;
}

export interface TileProps extends Omit<HTMLAttributes<HTMLSpanElement>, "wrap"> {
  kind: string;
  /** An index strip above the face, where the setting wants it. */
  indexed?: boolean;
  wild?: boolean;
  /** Lies on its side. */
  turned?: boolean;
  class?: string;
}

/** A tile as wide as `--tile`; `?` shows its back. */
export function Tile({ kind, indexed, wild, turned, class: more = "", ...rest }: TileProps) {
  const back = kind === "?";
  const strip = indexed && settings.indices.value && !back;
  const names = ["tile", back && "back", wild && "wild", turned && "turned", strip && "indexed", more];
  return (
    <span class={names.filter(Boolean).join(" ")} data-kind={kind} {...rest}>
      <span class="body">
        {strip && <span class={`index ${kind[1]}${kind[0]}`} data-text={index(kind)} />}
        {!back && (
          <svg class="face" viewBox="0 0 300 400" aria-hidden="true">
            <use href={`${sheet}#${kind}`} />
          </svg>
        )}
      </span>
    </span>
  );
}

/** Several tiles that are read as one. */
export function Tiles({ kinds, wild = [], label }: { kinds: readonly string[]; wild?: readonly string[]; label?: string }) {
  return (
    <span class="tiles" role="img" aria-label={label ?? kinds.map(tileName).join(" ")}>
      {kinds.map((kind) => (
        <Tile kind={kind} wild={wild.includes(kind)} />
      ))}
    </span>
  );
}
