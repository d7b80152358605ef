import { useEffect, useRef, useState } from "preact/hooks";
import { post } from "../api";
import { pick, t } from "../i18n";
import type { RuleBook, ScoreDisputed, SheetForm } from "../messages";
import type { Values } from "../options";
import { Brief } from "../pad/brief";
import { RulesChosen, useBook, useSheets } from "../pad/choose";
import { EMPTY, meldText, readMeld, wanted, type Held } from "../pad/held";
import { Pad } from "../pad/pad";
import { href, route } from "../router";
import { Patterns, Reading } from "../table/result";
import "../table/table.css";
import { parseTiles, sortTiles, Tile, tileName, writeTiles } from "../tiles";
import { Choice, Page, signed, Switch } from "../ui";
import { CopyLine } from "./share";

/** How a hand was won. The winner is seat 0, so that seats 1, 2 and 3 are the next, the opposite and the upper one. */
interface Won {
  by: "draw" | "discard" | "kong";
  dealer: number;
  from: number;
  replacement: boolean;
  last_tile: boolean;
  first_turn: boolean;
}
const WON: Won = { by: "discard", dealer: 3, from: 1, replacement: false, last_tile: false, first_turn: false };
const SEATS = ["seat_self", "seat_next", "seat_opposite", "seat_upper"] as const;

/** What a hand is worth, or why it does not win; `?request={...}` lays a request of the score contract. */
export function CalculatorPage() {
  const { sheets, problem } = useSheets();
  const [rules, choose] = useState("");
  const [values, change] = useState<Values>({});
  const [held, hold] = useState<Held>(EMPTY);
  const [won, win] = useState<Won>(WON);
  const paper = useRef<HTMLElement>(null);
  const given = route.value.query.get("request");
  useEffect(() => {
    const read = given ? readRequest(given) : null;
    if (!read) return;
    choose(read.rules);
    change(read.values);
    hold(read.held);
    win(read.won);
  }, [given]);
  const sheet = sheets.find((one) => one.id === rules) ?? sheets.find((one) => one.id === localStorage.getItem("hz.rules")) ?? sheets[0];
  const { book, wrong } = useBook(sheet?.id ?? "", values);
  const request = sheet ? requestOf(sheet.id, values, held, won) : null;
  const { answer, problem: refused } = useScore(request);
  return (
    <Page title={t("calculator_title")} wide>
      {problem && <p class="notice bad">{problem}</p>}
      {sheet && (
        <div class="desk">
          <div class="stack">
            <RulesChosen
              sheet={sheet}
              sheets={sheets}
              values={values}
              wrong={wrong}
              change={(id, next) => {
                choose(id);
                change(next);
                if (id !== sheet.id) hold(fitting(held, sheets.find((one) => one.id === id)!));
              }}
            />
            <Pad key={sheet.id} held={held} set={hold} sheet={sheet} claims={book?.claims.map(([id]) => id) ?? []} ends="win" />
          </div>
          <div class="stack">
            <HowWon held={held} won={won} set={win} />
            <section class="paper verdict result" aria-live="polite" ref={paper}>
              {refused && <p class="notice bad">{refused}</p>}
              {request && answer && book && !refused ? <Verdict answer={answer} book={book} rules={sheet.id} /> : !refused && <p class="soft">{t("calculator_why")}</p>}
            </section>
            {request && (
              <section class="paper">
                <CopyLine link={`${location.href.split("#")[0]}#/calculator?request=${encodeURIComponent(JSON.stringify(request))}`} />
              </section>
            )}
          </div>
          {request && answer && !refused && (
            <Brief
              strong={t(answer.answer.win ? "verdict_win" : "verdict_no")}
              text={answer.answer.win ? t("points_n", { n: answer.answer.points }) : pick({ zh: answer.reason_zh, en: answer.reason_en })}
              to={paper}
            />
          )}
        </div>
      )}
    </Page>
  );
}

function HowWon({ held, won, set }: { held: Held; won: Won; set: (won: Won) => void }) {
  const { by, dealer, from } = won;
  return (
    <section class="paper">
      <Choice label={t("won_by")} value={by} options={(["discard", "draw", "kong"] as const).map((way) => [way, t(`won_by_${way}`)] as const)} set={(way) => set({ ...won, by: way })} />
      {by !== "draw" && <Choice label={t(by === "kong" ? "won_robbed" : "won_from")} value={from} options={[1, 2, 3].map((seat) => [seat, t(SEATS[seat]!)] as const)} set={(seat) => set({ ...won, from: seat })} />}
      <Choice label={t("dealer_label")} value={dealer} options={[0, 1, 2, 3].map((seat) => [seat, t(SEATS[seat]!)] as const)} set={(seat) => set({ ...won, dealer: seat })} />
      <Switch label={t("last_tile")} on={won.last_tile} set={(on) => set({ ...won, last_tile: on })} />
      {mayReplace(held, won) && <Switch label={t("replacement")} on={won.replacement} set={(on) => set({ ...won, replacement: on })} />}
      {mayOpen(held, won) && <Switch label={t(by === "draw" ? "heaven" : "earth")} on={won.first_turn} set={(on) => set({ ...won, first_turn: on })} />}
    </section>
  );
}

const mayReplace = (held: Held, won: Won) => won.by === "draw" && held.melds.some((meld) => meld.form !== "chow" && meld.form !== "pung");
const mayOpen = (held: Held, won: Won) => held.melds.length === 0 && ((won.by === "draw" && won.dealer === 0) || (won.by === "discard" && won.from === won.dealer));

/** A request of the score contract; null while tiles are missing. */
function requestOf(rules: string, options: Values, held: Held, won: Won) {
  if (!held.win || held.concealed.length !== wanted(held)) return null;
  return {
    rules,
    options,
    concealed: writeTiles(sortTiles(held.concealed)),
    melds: held.melds.map(meldText),
    win_tile: held.win,
    by: won.by,
    replacement: won.replacement && mayReplace(held, won),
    last_tile: won.last_tile,
    first_turn: won.first_turn && mayOpen(held, won),
    winner: 0,
    dealer: won.dealer,
    ...(won.by === "draw" ? {} : { from: won.from }),
  };
}

function readRequest(text: string) {
  try {
    const read = JSON.parse(text);
    const turn = (seat: unknown, otherwise: number) => (typeof seat === "number" ? (seat - (read.winner ?? 0) + 4) % 4 : otherwise);
    return {
      rules: String(read.rules),
      values: (read.options ?? {}) as Values,
      held: { concealed: sortTiles(parseTiles(read.concealed ?? "")), melds: (read.melds ?? []).map(readMeld), win: String(read.win_tile ?? ""), seen: [] },
      won: {
        by: read.by ?? WON.by,
        dealer: turn(read.dealer, WON.dealer),
        from: turn(read.from, WON.from),
        replacement: read.replacement === true,
        last_tile: read.last_tile === true,
        first_turn: read.first_turn === true,
      },
    };
  } catch {
    return null; // a link cut short: the page stays as it is
  }
}

/** What of a hand another rule set knows too. */
function fitting(held: Held, sheet: SheetForm): Held {
  const known = (kind: string) => sheet.tiles.includes(kind);
  return { ...held, concealed: sortTiles(held.concealed.filter(known), sheet.wild), melds: held.melds.filter((meld) => known(meld.kind)), win: known(held.win) ? held.win : "" };
}

/** The referee's answer to the last request, asked again whenever it changes. */
function useScore(request: object | null): { answer: ScoreDisputed | null; problem: string } {
  const [state, set] = useState<{ answer: ScoreDisputed | null; problem: string }>({ answer: null, problem: "" });
  const body = request && JSON.stringify(request);
  useEffect(() => {
    if (!body) return set({ answer: null, problem: "" });
    let stale = false;
    const timer = setTimeout(() => {
      post<ScoreDisputed>("score/disputed", JSON.parse(body)).then(
        (answer) => !stale && set({ answer, problem: "" }),
        (error: Error) => !stale && set({ answer: null, problem: error.message }),
      );
    }, 120);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [body]);
  return state;
}

function Verdict({ answer: whole, book, rules }: { answer: ScoreDisputed; book: RuleBook; rules: string }) {
  const { answer } = whole;
  const why = pick({ zh: whole.reason_zh, en: whole.reason_en });
  if (answer.error) return <p class="notice bad">{why}</p>;
  return (
    <>
      <p class="headline">
        <b class={answer.win ? "stamp" : "stamp no"}>{t(answer.win ? "verdict_win" : "verdict_no")}</b>
        {answer.win ? t("points_n", { n: answer.points }) : why}
        {!answer.win && answer.ruling && <a href={href("rules", rules, answer.ruling)}>{answer.ruling}</a>}
      </p>
      {answer.win ? (
        <>
          <Patterns patterns={answer.patterns} points={answer.points} rules={rules} />
          <p class="num soft">{whole.formula}</p>
          <div class="reading">
            <span class="soft">{t("reading")}</span>
            <Reading text={answer.reading} />
          </div>
          {answer.payments && <Payments payments={answer.payments} />}
        </>
      ) : (
        <>
          {whole.missing > 0 && <p>{t("missing_n", { n: whole.missing })}</p>}
          <WaitsLine kinds={whole.waits} wild={book.form.wild} />
        </>
      )}
      {whole.disputed.length > 0 && (
        <section>
          <h3>{t("disputed")}</h3>
          <ul class="lines">
            {whole.disputed.map((other) => (
              <li>
                <span>
                  {pick(other)} = {pick({ zh: other.value_zh, en: other.value_en })} <a href={href("rules", rules, other.ruling)}>{other.ruling}</a>
                </span>
                <b>{outcome(other.answer, answer, book)}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Payments({ payments }: { payments: number[] }) {
  return (
    <dl class="four" aria-label={t("payments")}>
      {payments.map((paid, seat) => (
        <div>
          <dt>{t(SEATS[seat]!)}</dt>
          <dd class={`num ${paid > 0 ? "plus" : paid < 0 ? "minus" : ""}`}>{signed(paid)}</dd>
        </div>
      ))}
    </dl>
  );
}

function WaitsLine({ kinds, wild }: { kinds: string[]; wild: string[] }) {
  if (!kinds.length) return <p>{t("not_ready_without")}</p>;
  return (
    <div class="waiting" role="img" aria-label={`${t("waits_without")} ${kinds.map(tileName).join(" ")}`}>
      <span>{t("waits_without")}</span>
      {kinds.map((kind) => (
        <Tile kind={kind} wild={wild.includes(kind)} />
      ))}
    </div>
  );
}

/** What another value makes of the hand, as far as it differs. */
function outcome(other: any, now: any, book: RuleBook): string {
  if (other.error) return other.error;
  if (!other.win) {
    const condition = book.conditions.find((one) => one.reason === other.reason);
    const words = book.reasons[other.reason];
    return `${t("verdict_no")}${condition ? ` (${pick(condition)})` : words ? ` (${pick({ zh: words[0], en: words[1] })})` : ""}`;
  }
  const got = other.payments?.[0];
  if (got !== undefined && got !== now.payments?.[0]) return `${t("points_n", { n: other.points })}, ${t("receives_n", { n: got })}`;
  if (other.points === now.points && other.payments) return `${t("points_n", { n: other.points })}, ${t("pays_as", { list: other.payments.slice(1).map(signed).join(" / ") })}`;
  return t("points_n", { n: other.points });
}

