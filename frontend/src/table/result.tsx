import { useEffect, useState } from "preact/hooks";
import { apiUrl, sheetOf } from "../api";
import type { Pattern, Pay, Room, TableView, Update, Win } from "../messages";
import { pick, t, type Key } from "../i18n";
import { go, href } from "../router";
import type { Session } from "../session";
import { parseTiles, sortTiles, Tile, tileName, Tiles } from "../tiles";
import { Sheet, signed } from "../ui";
import { handNo, sitters as sittersOf, type Sitter } from "./seats";

/** How a hand ended: each pattern with its value and ruling, the reading, who pays, the other hands, running totals. */
export function Result({ session, room, update, sitters, close, end }: {
  session: Session;
  room: Room;
  update: Update;
  sitters: Sitter[];
  close: () => void;
  /** After the last hand: on to the end of the match. */
  end: (() => void) | null;
}) {
  const { view } = update;
  const own = session.place.value >= 0 ? room.places[session.place.value] : undefined;
  const left = useSeconds(update.clock.next_hand, session.at.value);
  const next = left === null ? t("continue") : t("next_in", { n: left });
  return (
    <Sheet
      title={t(`result_${view.reason ?? "exhausted"}` as Key)}
      class="result"
      close={close}
      foot={
        <>
          <button type="button" class="button" onClick={close}>
            {t("see_table")}
          </button>
          {end && (
            <button type="button" class="button main" onClick={end} data-action="end">
              {t("to_match_result")}
            </button>
          )}
          {own && !end && (
            <button type="button" class="button main" disabled={own.ready} onClick={() => session.ready(true)} data-action="next">
              {own.ready ? t("waiting_others") : next}
            </button>
          )}
        </>
      }
    >
      <HandResult view={view} sitters={sitters} rules={room.rules} pays={session.pays.value} />
    </Sheet>
  );
}

function useSeconds(milliseconds: number, at: number): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    if (milliseconds < 0) return;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [milliseconds, at]);
  return milliseconds < 0 ? null : Math.max(0, Math.ceil((milliseconds - (performance.now() - at)) / 1000));
}

/** The document of a finished hand, without the sheet around it; replays show it too. */
export function HandResult({ view, sitters, rules, pays = [] }: {
  view: TableView;
  sitters: Sitter[];
  rules: string;
  pays?: readonly Pay[];
}) {
  const name = (seat: number | null | undefined) => sitters[seat ?? -1]?.name ?? "";
  const reason = view.reason ?? "exhausted";
  return (
    <>
      {view.wins.map((win) => (
        <WinShown win={win} name={name} wild={view.wild} rules={rules} />
      ))}
      {!view.wins.length && <p>{t(`result_${reason}_why` as Key, { name: name(view.false_win) })}</p>}
      <table class="sums">
        <caption class="hidden-text">{t("payments")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("player")}</th>
            <th scope="col">{t("this_hand")}</th>
            <th scope="col">{t("total")}</th>
          </tr>
        </thead>
        <tbody>
          {view.seats.map((seat, i) => (
            <tr class={view.wins.some((win) => win.seat === i) ? "winner" : ""}>
              <th scope="row">
                {name(i)} {view.dealer === i && <b class="dealer">{t("dealer")}</b>}
              </th>
              <td class={`num ${seat.score > 0 ? "plus" : seat.score < 0 ? "minus" : ""}`}>{signed(seat.score)}</td>
              <td class="num">{signed(seat.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Payments pays={pays} view={view} sitters={sitters} />
      <section class="all-hands">
        <h3>{t("hands_of_all")}</h3>
        {view.seats.map((seat, i) => (
          <div class="one-hand">
            <span class="who">{name(i)}</span>
            <span class="row">
              <Tiles kinds={sortTiles(seat.hand, view.wild)} wild={view.wild} />
              {seat.melds.map((meld) => (
                <Tiles kinds={meld.tiles} wild={view.wild} />
              ))}
            </span>
          </div>
        ))}
      </section>
      {view.next_dealer !== null && <p class="soft">{t("next_dealer", { name: name(view.next_dealer) })}</p>}
    </>
  );
}

/** Each payment by itself, where there were several and all of them are known. */
function Payments({ pays, view, sitters }: { pays: readonly Pay[]; view: TableView; sitters: Sitter[] }) {
  const whole = view.seats.every((seat, i) => pays.reduce((sum, pay) => sum + (pay.deltas[i] ?? 0), 0) === seat.score);
  if (pays.length < 2 || !whole) return null;
  return (
    <table class="pays">
      <caption>{t("payments")}</caption>
      <thead>
        <tr>
          <td />
          {sitters.map((sitter) => (
            <th scope="col">{sitter.name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pays.map((pay) => (
          <tr>
            <th scope="row">{t(`pay_${pay.for}` as Key)}</th>
            {pay.deltas.map((delta) => (
              <td class="num">{delta ? signed(delta) : ""}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function WinShown({ win, name, wild, rules }: { win: Win; name: (seat: number | null | undefined) => string; wild: readonly string[]; rules: string }) {
  const values = { name: name(win.seat), from: name(win.from), tile: tileName(win.tile) };
  return (
    <section class="win">
      <p class="headline">
        <b class="stamp" aria-hidden="true">
          {t(win.by === "draw" ? "call_draw_win" : "call_win")}
        </b>
        {t(`wins_by_${win.by}`, values)}
      </p>
      <div class="won-hand" role="img" aria-label={[...parseTiles(win.concealed), win.tile].map(tileName).join(" ")}>
        <Tiles kinds={sortTiles(parseTiles(win.concealed), wild)} wild={wild} />
        <Tile kind={win.tile} wild={wild.includes(win.tile)} class="winning" />
        {win.melds.map((meld) => (
          <Tiles kinds={parseTiles(meld)} wild={wild} />
        ))}
      </div>
      <Patterns patterns={win.patterns} points={win.points} rules={rules} />
      <div class="reading">
        <span class="soft">{t("reading")}</span>
        <Reading text={win.reading} />
      </div>
    </section>
  );
}

/** What a win is paid for, row by row, with values and rulings. */
export function Patterns({ patterns, points, rules }: { patterns: readonly Pattern[]; points: number; rules: string }) {
  const named = new Map(sheetOf(rules)?.options.map((option) => [option.id, option]));
  return (
    <table class="patterns">
      <thead class="hidden-text">
        <tr>
          <th scope="col">{t("pattern")}</th>
          <th scope="col">{t("value")}</th>
          <th scope="col">{t("ruling")}</th>
        </tr>
      </thead>
      <tbody>
        {patterns.map((pattern) => {
          const form = named.get(`price.${pattern.id}`);
          return (
            <tr>
              <th scope="row">
                {form ? pick(form).replace(/[（(].*$/, "") : pattern.name}
                {pattern.count > 1 && ` ×${pattern.count}`}
              </th>
              <td class="num">{t(`kind_${pattern.kind}`, { value: pattern.value * (pattern.kind === "fan" ? pattern.count : 1) })}</td>
              <td class="ruling">
                <a href={href("rules", rules, pattern.ruling)} target="_blank" title={t("ruling")}>
                  {pattern.ruling}
                </a>
              </td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            {t("points_each", { points })}
          </th>
        </tr>
      </tfoot>
    </table>
  );
}

/** A reading such as `234*m 55m (999p)`: its sets, stand-ins of wild tiles marked. */
export function Reading({ text }: { text: string }) {
  return (
    <span class="sets" role="img" aria-label={text}>
      {text.split(" ").map((set) => {
        const suit = set.match(/[mspz]/)?.[0] ?? "";
        const tiles = [...set.matchAll(/([0-9?])(\*?)/g)];
        return (
          <span class="tiles">
            {tiles.map(([, digit, star]) => (
              <Tile kind={digit === "?" ? "?" : digit! + suit} wild={star === "*"} />
            ))}
          </span>
        );
      })}
    </span>
  );
}

/** The end of a match: ranking, running totals, the record, another one. */
export function MatchResult({ session, room, update, close }: { session: Session; room: Room; update: Update; close: () => void }) {
  const [lastHand, showHand] = useState(false);
  const own = session.place.value >= 0 ? room.places[session.place.value] : undefined;
  const secret = session.result.value?.secret;
  const seats = sittersOf(room);
  return (
    <Sheet
      title={t("match_result")}
      class="result"
      close={close}
      foot={
        <>
          <button type="button" class="button" onClick={() => (session.stop(), go())}>
            {t("home")}
          </button>
          {own && (
            <button type="button" class="button main" data-action="rematch" onClick={() => session.send({ type: "rematch" })}>
              {t("rematch")}
            </button>
          )}
        </>
      }
    >
      <ol class="ranking">
        {room.ranking.map((place, rank) => {
          const seat = room.seat_of[place] ?? place;
          return (
            <li class={rank === 0 ? "first" : ""}>
              <span class="rank">{t("rank", { n: rank + 1 })}</span>
              <span class="who">{seats[seat]?.name}</span>
              <b class="num">{signed(room.scores[place] ?? 0)}</b>
              {room.matches > 1 && (
                <small class="soft num">
                  {t("running_totals")} {signed(room.totals[place] ?? 0)}
                </small>
              )}
            </li>
          );
        })}
      </ol>
      {room.record && (
        <div class="row">
          <a class="button grow" href={href("replay", room.record)}>
            {t("to_replay")}
          </a>
          <a class="button grow" href={apiUrl(`records/${room.record}/file`)} download={`${room.code}.jsonl`}>
            {t("save_record")}
          </a>
        </div>
      )}
      {room.commitment && (
        <p class="soft break">
          {t("commitment")} {room.commitment}
        </p>
      )}
      {secret && (
        <p class="soft break">
          {t("secret")} {secret}
        </p>
      )}
      <button type="button" class="button" aria-expanded={lastHand} onClick={() => showHand(!lastHand)}>
        {t("see_result")} · {handNo(update.view)}
      </button>
      {lastHand && <HandResult view={update.view} sitters={seats} rules={room.rules} />}
    </Sheet>
  );
}
