import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ActionShown, Prompt, TableView } from "../messages";
import { t } from "../i18n";
import { settings } from "../settings";
import { sortTiles, Tile, tileName } from "../tiles";
import { Melds } from "./felt";

/** How many of the tiles at rest lie in the upper of two rows; the lower keeps a place for the drawn one. */
function upper(resting: number): number {
  if (resting >= 13) return 7;
  if (resting >= 10) return 4;
  return resting >= 7 ? 2 : 0;
}

/** The order the player gave the tiles, carried over to the next hand: what is gone drops out, what is new stands last. */
function carry(order: readonly string[], hand: readonly string[]): string[] {
  const left = [...hand];
  const kept = order.filter((kind) => {
    const at = left.indexOf(kind);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return [...kept, ...left];
}

export interface HandControl {
  select: (step: number) => void;
  discard: () => void;
}

/** The own tiles and melds. A tap raises a tile, a second one discards it; a drag upwards discards at once. */
export function Hand({ view, seat, prompt, name, choose, picked, control, pick }: {
  view: TableView;
  seat: number;
  prompt: Prompt | null;
  name: string;
  choose: (action: ActionShown, from: DOMRect) => void;
  picked: number;
  pick: (place: number, kind: string | null) => void;
  control: { current: HandControl | null };
}) {
  const shown = view.seats[seat]!;
  const root = useRef<HTMLDivElement>(null);
  const order = useRef<string[]>([]);
  const [, redraw] = useState(0);
  const drawn = view.over ? null : view.drawn;
  const key = shown.hand.join("") + shown.size + (drawn ?? "") + view.number + settings.autoSort.value;
  const tiles = useMemo(() => {
    const resting = shown.hand.length ? [...shown.hand] : Array<string>(shown.size).fill("?");
    if (drawn) resting.splice(resting.lastIndexOf(drawn), 1);
    order.current = settings.autoSort.value ? sortTiles(resting, view.wild) : carry(order.current, resting);
    return order.current;
  }, [key]);
  const all = drawn ? [...tiles, drawn] : tiles;
  const discards = new Map<string, ActionShown>();
  for (const action of prompt?.actions ?? []) if (action.kind === "discard") discards.set(action.tiles[0]!, action);
  const mine = discards.size > 0;

  const rectOf = (place: number) => root.current!.querySelectorAll<HTMLElement>(".slot")[place]!.getBoundingClientRect();
  const discard = (place: number) => {
    const action = discards.get(all[place] ?? "");
    if (action) choose(action, rectOf(place));
  };
  const tap = (place: number) => {
    if (mine && (place === picked || !settings.confirm.value)) discard(place);
    else pick(place === picked ? -1 : place, place === picked ? null : (all[place] ?? null));
  };
  control.current = {
    select: (step) => {
      if (!all.length) return;
      const next = picked < 0 ? (step < 0 ? all.length - 1 : drawn ? all.length - 1 : 0) : (picked + step + all.length) % all.length;
      pick(next, all[next] ?? null);
      root.current!.querySelectorAll<HTMLElement>(".slot")[next]?.focus();
    },
    discard: () => picked >= 0 && discard(picked),
  };
  useEffect(() => {
    if (picked >= all.length) pick(-1, null);
  }, [all.length]);

  const drag = useDrag(root, (place, dx, dy) => {
    if (dy < -45 && Math.abs(dx) < 160 && mine) discard(place);
    else if (!settings.autoSort.value && Math.abs(dx) > 20 && place < tiles.length) {
      const width = rectOf(place).width;
      const to = Math.max(0, Math.min(tiles.length - 1, place + Math.round(dx / width)));
      const [moved] = order.current.splice(place, 1);
      order.current.splice(to, 0, moved!);
      redraw((n) => n + 1);
    }
  });

  const slot = (place: number) => {
    const kind = all[place]!;
    const last = drawn !== null && place === all.length - 1;
    const barred = mine && !discards.has(kind);
    const label = last ? t("drawn_label", { tile: tileName(kind) }) : tileName(kind);
    return (
      <button
        type="button"
        key={`${place}`}
        class={`slot ${last ? "drawn" : ""} ${place === picked ? "picked" : ""} ${barred ? "barred" : ""}`}
        aria-label={barred ? `${label}, ${t("cannot_discard")}` : place === picked && mine ? `${label}, ${t("tap_again")}` : label}
        aria-pressed={place === picked}
        disabled={kind === "?"}
        tabIndex={place === (picked >= 0 ? picked : all.length - 1) ? 0 : -1}
        data-place={place}
        onPointerDown={drag}
        onClick={(event) => {
          if (root.current!.dataset.dragged !== "yes") tap(place);
          event.stopPropagation();
        }}
      >
        <Tile kind={kind} indexed wild={view.wild.includes(kind)} />
      </button>
    );
  };
  const above = upper(tiles.length);
  const places = all.map((_, i) => i);
  return (
    <div ref={root} class={`hand ${mine ? "mine" : ""}`} data-anchor={`hand-${seat}`} data-melds={shown.melds.length} role="group" aria-label={t("hand_label")}>
      <div class="upper">{places.slice(0, above).map(slot)}</div>
      <div class="lower">{places.slice(above).map(slot)}</div>
      <Melds melds={shown.melds} seat={seat} wild={view.wild} name={name} />
    </div>
  );
}

/** Follows a tile under the finger; `drop` hears how far it was carried. */
function useDrag(root: { current: HTMLDivElement | null }, drop: (place: number, dx: number, dy: number) => void) {
  return (down: PointerEvent) => {
    const slot = down.currentTarget as HTMLElement;
    if (down.button !== 0) return;
    root.current!.dataset.dragged = "no";
    const place = Number(slot.dataset.place);
    const move = (event: PointerEvent) => {
      const dx = event.clientX - down.clientX;
      const dy = event.clientY - down.clientY;
      if (Math.hypot(dx, dy) < 10 && root.current?.dataset.dragged === "no") return;
      if (root.current) root.current.dataset.dragged = "yes";
      slot.style.transform = `translate(${dx}px, ${Math.min(dy, 12)}px)`;
      slot.classList.add("dragging");
    };
    const up = (event: PointerEvent) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", up);
      const carried = root.current?.dataset.dragged === "yes";
      if (carried && event.type === "pointerup") drop(place, event.clientX - down.clientX, event.clientY - down.clientY);
      slot.style.transform = "";
      slot.classList.remove("dragging");
      setTimeout(() => root.current && (root.current.dataset.dragged = "no"));
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", up);
  };
}
