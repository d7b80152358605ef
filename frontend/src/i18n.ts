import { settings } from "./settings";
import en from "./texts/en";
import zh from "./texts/zh";

export type Key = keyof typeof zh;
export type Both = { zh: string; en: string };

/** The text in the player's language; `{name}` takes a parameter. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text: string = (settings.lang.value === "zh" ? zh : en)[key];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** So many hands, or rounds of dealers. */
export const counted = (what: "hand" | "round", n: number): string => t(n === 1 ? `one_${what}` : `n_${what}s`, { n });

/** One of two texts that came together, from the server for instance. */
export const pick = (both: Both): string => both[settings.lang.value];
