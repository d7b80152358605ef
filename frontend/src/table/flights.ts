import type { AnyEvent } from "../messages";

/** Motion that shows where a tile went: wall to hand, hand to river, river to meld. Each flight is short and never holds up play. */
const FLIGHT = 170;

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Flights {
  private rects = new Map<string, DOMRect>();
  /** Where the own tile lay that was just discarded. */
  picked: DOMRect | null = null;

  constructor(private readonly root: () => HTMLElement | null) {}

  /** Remembers where things lie before an update is shown. */
  capture(): void {
    this.rects.clear();
    this.root()
      ?.querySelectorAll<HTMLElement>("[data-anchor]")
      .forEach((element) => {
        const name = element.dataset.anchor!;
        const shown = name.startsWith("river-") ? (element.lastElementChild ?? element) : element;
        this.rects.set(name, shown.getBoundingClientRect());
      });
  }

  /** Flies the tiles of the events to where they lie now. */
  fly(events: readonly AnyEvent[], me: number): void {
    if (still() || document.hidden) return;
    const recent = events.slice(-4);
    let delay = 0;
    for (const event of recent) {
      if (event.type === "discard") {
        const from = event.seat === me ? (this.picked ?? this.rects.get("hand-" + me)) : this.rects.get(`hand-${event.seat}`);
        this.move(this.last(`river-${event.seat}`), from, delay);
        delay += 90;
      } else if (event.type === "draw") {
        const target = event.seat === me ? this.find(".hand .drawn") : this.last(`hand-${event.seat}`);
        this.move(target, this.rects.get("wall"), delay);
      } else if (event.type === "chow" || event.type === "pung" || event.type === "kong") {
        const from = event.from ?? -1;
        const rect = from >= 0 ? this.rects.get(`river-${from}`) : this.rects.get(`hand-${event.seat}`);
        this.move(this.last(`melds-${event.seat}`), rect, delay);
      }
    }
    this.picked = null;
  }

  private find(selector: string): HTMLElement | null {
    return this.root()?.querySelector<HTMLElement>(selector) ?? null;
  }

  private last(anchor: string): HTMLElement | null {
    return (this.find(`[data-anchor="${anchor}"]`)?.lastElementChild as HTMLElement | null) ?? null;
  }

  private move(element: HTMLElement | null, from: DOMRect | undefined | null, delay: number): void {
    if (!element || !from) return;
    const to = element.getBoundingClientRect();
    if (!to.width) return;
    const x = from.left + from.width / 2 - to.left - to.width / 2;
    const y = from.top + from.height / 2 - to.top - to.height / 2;
    element.animate(
      [
        { transform: `translate(${x}px, ${y}px)`, opacity: 0.75, zIndex: 5 },
        { transform: "none", opacity: 1, zIndex: 5 },
      ],
      { duration: FLIGHT, delay, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)", fill: "backwards" },
    );
  }
}
