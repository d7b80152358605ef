import type { Room, TableView } from "../messages";
import { t, type Key } from "../i18n";

export type Side = "left" | "across" | "right" | "bottom";

/** What stands on a seat's name plate. */
export interface Sitter {
  name: string;
  bot: boolean;
  connected: boolean;
  auto: boolean;
}

const NAMED = ["random", "beginner", "greedy", "value", "search"];

export function levelName(bot: string): string {
  const level = bot.split(":")[0]!;
  return NAMED.includes(level) ? t(`bot_${level}` as Key) : bot;
}

export const botName = (bot: string): string => t("bot_named", { name: levelName(bot) });

/** Which hand of the match it is, and of what. */
export const handNo = ({ number, hands, round, rounds }: TableView): string =>
  rounds ? t("hand_of_round", { n: number + 1, round: round + 1, of: rounds }) : t("hand_no", { n: number + 1, of: hands });

/** The seat at the bottom of the screen: the viewer's, or the one that is nowhere around. */
export const bottomSeat = (view: TableView): number =>
  view.seat >= 0 ? view.seat : ([0, 1, 2, 3].find((seat) => !view.around.includes(seat)) ?? 0);

export function sidesOf(view: TableView): Record<Side, number> {
  const [left = 1, across = 2, right = 3] = view.around;
  return { left, across, right, bottom: bottomSeat(view) };
}

/** Who sits where, by seat. */
export function sitters(room: Room): Sitter[] {
  return [0, 1, 2, 3].map((seat) => {
    const place = room.seat_of.length === 4 ? room.seat_of.indexOf(seat) : seat;
    const player = room.places[place];
    if (!player) return { name: "", bot: false, connected: true, auto: false };
    const bot = player.kind === "bot";
    return { name: player.name || (bot ? botName(player.bot) : ""), bot, connected: bot || player.connected, auto: player.auto };
  });
}
