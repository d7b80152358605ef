import type { AnyEvent } from "../messages";
import { t, type Key } from "../i18n";
import { play } from "../sound";
import { tileName } from "../tiles";

/** What happened, in words: read out by screen readers. */
export function inWords(event: AnyEvent, names: readonly string[], me: number): string {
  const name = "seat" in event ? (names[event.seat] ?? "") : "";
  switch (event.type) {
    case "hand":
      return t("said_hand", { n: event.number + 1, name: names[event.dealer] ?? "" });
    case "draw":
      return event.seat === me ? t("said_draw", { tile: tileName(event.tile) }) : "";
    case "discard":
      return t("said_discard", { name, tile: tileName(event.tile) });
    case "chow":
      return t("said_chow", { name, tile: tileName(event.tile) });
    case "pung":
      return t("said_pung", { name, tile: tileName(event.tile) });
    case "kong":
      return event.tile === "?" ? t("said_kong_hidden", { name }) : t("said_kong", { name, tile: tileName(event.tile) });
    case "win":
      return t("said_win", { name, tile: tileName(event.tile) });
    case "false_win":
      return t("said_false_win", { name });
    default:
      return "";
  }
}

/** The word that flies out from a caller's seat. */
export function callOf(event: AnyEvent): { seat: number; key: Key; win: boolean } | null {
  switch (event.type) {
    case "chow":
    case "pung":
    case "kong":
      return { seat: event.seat, key: `call_${event.type}`, win: false };
    case "win":
      return { seat: event.seat, key: event.by === "draw" ? "call_draw_win" : "call_win", win: true };
    case "false_win":
      return { seat: event.seat, key: "call_false_win", win: true };
    default:
      return null;
  }
}

/** One sound for what matters most among the events. */
export function sound(events: readonly AnyEvent[], me: number): void {
  const types = new Set(events.map((event) => event.type));
  const won = events.find((event) => event.type === "win");
  if (won) play(me < 0 || won.seat === me ? "win" : "lost");
  else if (types.has("kong")) play("kong");
  else if (types.has("pung")) play("pung");
  else if (types.has("chow")) play("chow");
  else if (types.has("discard")) play("discard");
  else if (types.has("draw")) play("draw");
}
