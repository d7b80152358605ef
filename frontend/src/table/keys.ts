import type { ActionShown } from "../messages";
import { settings } from "../settings";
import type { HandControl } from "./hand";

const KINDS: Record<string, ActionShown["kind"][]> = {
  h: ["draw_win", "claim_win"],
  p: ["pung"],
  k: ["kong"],
  c: ["chow"],
  " ": ["pass"],
};

/** Play by keys. Several chows or kongs: the key again with 1, 2, 3 right after it. Returns how to stop listening. */
export function listen({ hand, actions, choose, auto, menu }: {
  hand: { current: HandControl | null };
  actions: () => readonly ActionShown[];
  choose: (action: ActionShown) => void;
  auto: () => void;
  menu: () => void;
}): () => void {
  const down = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]")) return;
    if (target.matches("input, select, textarea")) return;
    const key = event.key.toLowerCase();
    if (key === "arrowleft" || key === "arrowright") hand.current?.select(key === "arrowleft" ? -1 : 1);
    else if (key === "enter" && !target.matches("button:not(.slot)")) hand.current?.discard();
    else if (key === " " && target.matches("button:not(.slot)")) return;
    else if (key === "a") auto();
    else if (key === "m") settings.sound.value = !settings.sound.value;
    else if (key === "escape") menu();
    else if (/^[1-4]$/.test(key)) {
      const several = actions().filter((action) => action.kind === "chow" || action.kind === "kong");
      const action = several[Number(key) - 1];
      if (!action) return;
      choose(action);
    } else {
      const fitting = actions().filter((action) => KINDS[key]?.includes(action.kind));
      if (!KINDS[key] || fitting.length === 0) return;
      const button = document.querySelector<HTMLElement>(`.claim[data-action="${fitting[0]!.kind}"]`);
      if (key === " ") button?.click(); // asks again before a win is let go
      else if (fitting.length === 1) choose(fitting[0]!);
      else button?.focus();
    }
    event.preventDefault();
  };
  window.addEventListener("keydown", down);
  return () => window.removeEventListener("keydown", down);
}
