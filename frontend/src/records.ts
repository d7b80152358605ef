import { upload } from "./api";
import { pick, t, type Key } from "./i18n";
import type { HandCard, RecordCard } from "./messages";
import { settings } from "./settings";

/** Has the server check and keep a record's file. Rejects with `ApiError`, which names the first line that is wrong. */
export const keepFile = async (file: File): Promise<RecordCard> => upload<RecordCard>("records", await file.text());

/** The id in a link to a record, or one written alone; empty for neither. */
export const recordId = (text: string): string => /^(?:.*#\/(?:replay|verify)\/)?([\w-]{8,40})(?:[/?].*)?$/.exec(text.trim())?.[1] ?? "";

export const recordLink = (id: string): string => `${location.href.split("#")[0]}#/replay/${id}`;

export const rulesName = (card: RecordCard): string => pick({ zh: card.rules_zh, en: card.rules_en });

export const when = (milliseconds: number): string =>
  new Date(milliseconds).toLocaleString(settings.lang.value === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" });

/** How a hand ended, in a few words. */
export function ending(hand: HandCard, players: readonly string[]): string {
  const name = hand.winners.map((seat) => players[seat]).join(", ");
  return t((hand.winners.length ? (hand.by === "draw" ? "reason_win_draw" : "reason_win") : `reason_${hand.reason}`) as Key, { name });
}
