import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { MeldShown, SeatView, TableView } from "../messages";
import { t, type Key } from "../i18n";
import { Tile, tileName } from "../tiles";
import { Icon, signed } from "../ui";
import { sidesOf, type Side, type Sitter } from "./seats";

/** Everything that lies on the table but the own hand: name plates, melds, backs, rivers, and what the middle shows. */
export function Felt({ view, sitters, bubbles = {}, calls = [], middle, open = false, thinking = [] }: {
  view: TableView;
  sitters: Sitter[];
  /** Phrases by seat. */
  bubbles?: Record<number, string>;
  calls?: { id: number; seat: number; key: Key; win: boolean }[];
  middle: ComponentChildren;
  /** Shows the others' hands, where the view has them. */
  open?: boolean;
  /** Seats whose turn is being thought about. */
  thinking?: readonly number[];
}) {
  const sides = sidesOf(view);
  const turn = view.over ? -1 : (thinking[0] ?? view.turn);
  return (
    <div class="felt" role="group" aria-label={t("table_label")}>
      {(["across", "left", "right"] as const).map((side) => (
        <div class={`side ${side}`} key={side}>
          <Seat side={side} seat={sides[side]} view={view} sitter={sitters[sides[side]]!} bubble={bubbles[sides[side]]} open={open} active={turn === sides[side]} />
          <River side={side} seat={sides[side]} view={view} name={sitters[sides[side]]!.name} />
        </div>
      ))}
      <River side="bottom" seat={sides.bottom} view={view} name={sitters[sides.bottom]!.name} />
      <div class="plate" data-anchor="wall" data-turn={(Object.keys(sides) as Side[]).find((side) => sides[side] === turn) ?? "none"}>
        {middle}
      </div>
      {calls.map((call) => (
        <div key={call.id} class={`call ${(Object.keys(sides) as Side[]).find((side) => sides[side] === call.seat)} ${call.win ? "won" : ""}`} aria-hidden="true">
          {t(call.key)}
        </div>
      ))}
    </div>
  );
}

function Seat({ side, seat, view, sitter, bubble, open, active }: {
  side: Side;
  seat: number;
  view: TableView;
  sitter: Sitter;
  bubble: string | undefined;
  open: boolean;
  active: boolean;
}) {
  const shown = view.seats[seat]!;
  const hand = open && shown.hand.length > 0 ? shown.hand : null;
  return (
    <section class={`seat ${side} ${active ? "active" : ""}`} data-melds={shown.melds.length} aria-label={sitter.name}>
      <NamePlate view={view} seat={seat} sitter={sitter} />
      <Score view={view} seat={seat} name={sitter.name} />
      <div class={hand ? "backs open" : "backs"} data-anchor={`hand-${seat}`} role="img" aria-label={t("tiles_n", { n: shown.size })}>
        {hand
          ? hand.map((kind) => <Tile kind={kind} wild={view.wild.includes(kind)} />)
          : Array.from({ length: shown.size }, (_, i) => <i key={i} />)}
      </div>
      <Melds melds={shown.melds} seat={seat} wild={view.wild} name={sitter.name} />
      {bubble && <p class="bubble">{bubble}</p>}
    </section>
  );
}

/** Name, dealer's mark and connection of a seat. */
export function NamePlate({ view, seat, sitter }: { view: TableView; seat: number; sitter: Sitter }) {
  return (
    <div class="name-plate">
      {view.dealer === seat && (
        <b class="dealer" role="img" aria-label={t("dealer_label")}>
          {t("dealer")}
        </b>
      )}
      <span class="name">{sitter.name}</span>
      {!sitter.connected && (
        <span class="state" role="img" title={t("offline")} aria-label={t("offline")}>
          <Icon name="off" size="1.1em" />
        </span>
      )}
      {sitter.auto && !sitter.bot && (
        <span class="state" role="img" title={t("auto_on")} aria-label={t("auto_on")}>
          <Icon name="robot" size="1.1em" />
        </span>
      )}
    </div>
  );
}

export function Score({ view, seat, name }: { view: TableView; seat: number; name: string }) {
  const score = view.seats[seat]!.total;
  return (
    <span class="score num" role="img" aria-label={t("score_label", { name, score })}>
      {signed(score)}
    </span>
  );
}

export function Melds({ melds, seat, wild, name }: { melds: readonly MeldShown[]; seat: number; wild: readonly string[]; name: string }) {
  return (
    <div class="melds" data-anchor={`melds-${seat}`}>
      {melds.map((meld, place) => (
        <span key={place} class={`meld ${meld.form}`} role="img" aria-label={t("melds_of", { name, tiles: meld.tiles.map(tileName).join(" ") })}>
          {meld.tiles.map((kind, i) => (
            <Tile
              kind={meld.form === "concealed" && kind !== "?" && (i === 0 || i === 3) ? "?" : kind}
              wild={wild.includes(kind)}
              turned={i === meld.turned}
            />
          ))}
        </span>
      ))}
    </div>
  );
}

const IN_ROW = 6;

/** Discards in rows of six, the side seats' in columns of six along their edge; the last row that fits goes on beyond six. */
function River({ side, seat, view, name }: { side: Side; seat: number; view: TableView; name: string }) {
  const shown: SeatView = view.seats[seat]!;
  const grid = useRef<HTMLDivElement>(null);
  const rows = Math.max(1, Math.ceil(shown.river.length / IN_ROW));
  useLayoutEffect(() => {
    const most = Number(getComputedStyle(grid.current!).getPropertyValue("--most-rows")) || 4;
    [...grid.current!.children].forEach((tile, i) => {
      const row = Math.min(Math.floor(i / IN_ROW), most - 1);
      (tile as HTMLElement).style.setProperty("--row", String(row));
      (tile as HTMLElement).style.setProperty("--at", String(i - row * IN_ROW));
    });
  });
  const last = view.last_discard?.[0] === seat ? shown.river.length - 1 : -1;
  const names = shown.river.map((tile) => (tile.claimed ? t("claimed_label", { tile: tileName(tile.tile) }) : tileName(tile.tile)));
  return (
    <div
      ref={grid}
      class={`river ${side}`}
      data-anchor={`river-${seat}`}
      data-rows={rows}
      role="img"
      aria-label={names.length ? t("river_of", { name, tiles: names.join(" ") }) : t("river_empty", { name })}
    >
      {shown.river.map((tile, i) => (
        <Tile
          key={i}
          kind={tile.tile}
          wild={view.wild.includes(tile.tile)}
          class={`${tile.claimed ? "claimed" : ""} ${i === last ? "last" : ""}`}
        />
      ))}
    </div>
  );
}
