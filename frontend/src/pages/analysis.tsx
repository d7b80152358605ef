import { useEffect, useRef, useState } from "preact/hooks";
import { post } from "../api";
import { t } from "../i18n";
import type { Explain, Explained, SheetForm } from "../messages";
import type { Values } from "../options";
import { Brief } from "../pad/brief";
import { RulesChosen, useBook, useSheets } from "../pad/choose";
import { EMPTY, meldText, readMeld, wanted, type Held } from "../pad/held";
import { Pad } from "../pad/pad";
import { route } from "../router";
import { settings } from "../settings";
import { parseTiles, sortTiles, Tile, tileName, Tiles, writeTiles } from "../tiles";
import { Page } from "../ui";
import { CopyLine } from "./share";

/** Lines of `hongzhong analyse --jsonl`: a hand at rest has waits and useful tiles, one with a tile more has discards. */
interface Found {
  error?: string;
  distance: number | null;
  useful?: Record<string, number>;
  waits?: { tile: string; unseen: number; draw: number; discard: number | null; patterns: string[] }[];
  discards?: { tile: string; distance: number | null; useful: Record<string, number>; copies: number; points: number | null }[];
}
interface Asked {
  rules: string;
  options: Values;
  concealed: string;
  melds: string[];
  seen: string;
}

/** How far a hand is, what it waits for, what to discard, and why; `?hand={...}` lays a request of the analysis. */
export function AnalysisPage() {
  const { sheets, problem } = useSheets();
  const [rules, choose] = useState("");
  const [values, change] = useState<Values>({});
  const [held, hold] = useState<Held>(EMPTY);
  const paper = useRef<HTMLElement>(null);
  const given = route.value.query.get("hand");
  useEffect(() => {
    if (!given) return;
    try {
      const read = JSON.parse(given);
      choose(String(read.rules));
      change(read.options ?? {});
      hold({ concealed: sortTiles(parseTiles(read.concealed ?? "")), melds: (read.melds ?? []).map(readMeld), win: "", seen: sortTiles(parseTiles(read.seen ?? "")) });
    } catch {
      // a link cut short: the page stays as it is
    }
  }, [given]);
  const sheet = sheets.find((one) => one.id === rules) ?? sheets.find((one) => one.id === localStorage.getItem("hz.rules")) ?? sheets[0];
  const { book, wrong } = useBook(sheet?.id ?? "", values);
  const more = held.concealed.length - wanted(held);
  const asked: Asked | null =
    sheet && (more === 0 || more === 1)
      ? { rules: sheet.id, options: values, concealed: writeTiles(sortTiles(held.concealed)), melds: held.melds.map(meldText), seen: writeTiles(held.seen) }
      : null;
  const { found, lines, problem: refused, busy } = useAnalysis(asked, more === 1 ? held.concealed : null);
  return (
    <Page title={t("analysis_title")} wide>
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
                if (id !== sheet.id) hold(EMPTY);
              }}
            />
            <Pad key={sheet.id} held={held} set={hold} sheet={sheet} claims={book?.claims.map(([id]) => id) ?? []} ends="seen" more={1} />
          </div>
          <div class="stack">
            <section class="paper" aria-live="polite" aria-busy={busy} ref={paper}>
              {refused ? <p class="notice bad">{refused}</p> : found && asked ? <Answer found={found} sheet={sheet} /> : <p class="soft">{t(busy ? "loading" : "analysis_why")}</p>}
            </section>
            {lines && asked && !refused && (
              <section class="paper">
                <h2>{t("analysis_explained")}</h2>
                <ul class="lines">
                  {lines[settings.lang.value].map((line) => (
                    <li>{named(line)}</li>
                  ))}
                </ul>
              </section>
            )}
            {asked && (
              <section class="paper">
                <CopyLine link={`${location.href.split("#")[0]}#/analysis?hand=${encodeURIComponent(JSON.stringify(asked))}`} />
              </section>
            )}
          </div>
          {found && asked && !refused && <Brief strong={away(found.distance)} text={brief(found)} to={paper} />}
        </div>
      )}
    </Page>
  );
}

interface Heard {
  found: Found | null;
  lines: Explained | null;
  problem: string;
  busy: boolean;
}

/** `full`: the tiles of a hand with a tile more, of which the last is taken for the drawn one where it is explained. */
function useAnalysis(asked: Asked | null, full: string[] | null): Heard {
  const [heard, hear] = useState<Heard>({ found: null, lines: null, problem: "", busy: false });
  const body = asked && JSON.stringify(asked);
  useEffect(() => {
    if (!body || !asked) return hear({ found: null, lines: null, problem: "", busy: false });
    let stale = false;
    const explain: Explain = full ? { ...asked, concealed: writeTiles(sortTiles(full.slice(0, -1))), win_tile: full.at(-1)! } : asked;
    const timer = setTimeout(async () => {
      hear((now) => ({ ...now, busy: true }));
      const [found, lines] = await Promise.allSettled([post<Found>("analysis", { ...asked, points: true }), post<Explained>("explain", explain)]);
      if (stale) return;
      const failed = found.status === "rejected" ? found.reason : found.value.error ? (lines.status === "rejected" ? lines.reason : new Error(found.value.error)) : null;
      hear({
        found: found.status === "fulfilled" && !found.value.error ? found.value : null,
        lines: lines.status === "fulfilled" ? lines.value : null,
        problem: failed ? (failed as Error).message : "",
        busy: false,
      });
    }, 150);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [body]);
  return heard;
}

/** A line of the explanation, its tiles by their names. */
const named = (line: string): string =>
  line.replace(/\b([1-9][msp]|[1-7]z)\b( (?=[1-9][mspz]\b))?/g, (_, kind: string, next?: string) => tileName(kind) + (next ? ", " : ""));

/** Distance in words. */
const away = (distance: number | null): string =>
  distance === null ? t("analysis_never") : distance < 0 ? t("analysis_won") : distance === 0 ? t("hint_ready") : t("hint_away", { n: distance });

/** The answer in a line: the waits, the best discard or the useful copies. */
function brief(found: Found): string {
  const best = found.discards?.[0];
  if (best) return `${t("hint_best", { tile: tileName(best.tile) })} · ${t("analysis_copies", { n: best.copies })}`;
  if (found.waits?.length) return found.waits.map((wait) => tileName(wait.tile)).join(settings.lang.value === "zh" ? " " : ", ");
  return t("analysis_copies", { n: Object.values(found.useful ?? {}).reduce((sum, n) => sum + n, 0) });
}

function Answer({ found, sheet }: { found: Found; sheet: SheetForm }) {
  return (
    <>
      <h2>{away(found.distance)}</h2>
      {found.waits && found.waits.length > 0 && <Waits waits={found.waits} wild={sheet.wild} />}
      {found.useful && !found.waits?.length && Object.keys(found.useful).length > 0 && (
        <>
          <h3>{t("analysis_useful", { n: Object.values(found.useful).reduce((sum, n) => sum + n, 0) })}</h3>
          <Kinds kinds={found.useful} wild={sheet.wild} />
        </>
      )}
      {found.discards && <Discards discards={found.discards} wild={sheet.wild} />}
    </>
  );
}

function Kinds({ kinds, wild }: { kinds: Record<string, number>; wild: readonly string[] }) {
  return (
    <div class="waiting" role="img" aria-label={Object.entries(kinds).map(([kind, n]) => `${tileName(kind)} ${n}`).join(", ")}>
      {Object.entries(kinds).map(([kind, n]) => (
        <span class={n ? "wait" : "wait gone"}>
          <Tile kind={kind} wild={wild.includes(kind)} />
          <sub class="num">{n}</sub>
        </span>
      ))}
    </div>
  );
}

function Waits({ waits, wild }: { waits: NonNullable<Found["waits"]>; wild: readonly string[] }) {
  return (
    <table class="tabled">
      <thead>
        <tr>
          <th scope="col">{t("analysis_waits")}</th>
          <th scope="col" class="num">
            {t("analysis_left")}
          </th>
          <th scope="col" class="num">
            {t("analysis_discard_points")}
          </th>
          <th scope="col" class="num">
            {t("analysis_draw_points")}
          </th>
        </tr>
      </thead>
      <tbody>
        {waits.map((wait) => (
          <tr>
            <th scope="row">
              <Tiles kinds={[wait.tile]} wild={wild} /> {tileName(wait.tile)}
            </th>
            <td class="num">{wait.unseen}</td>
            <td class="num">{wait.discard ?? "–"}</td>
            <td class="num">{wait.draw}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Discards({ discards, wild }: { discards: NonNullable<Found["discards"]>; wild: readonly string[] }) {
  return (
    <table class="tabled">
      <thead>
        <tr>
          <th scope="col">{t("analysis_discard")}</th>
          <th scope="col">{t("analysis_then")}</th>
          <th scope="col" class="num">
            {t("analysis_points")}
          </th>
        </tr>
      </thead>
      <tbody>
        {discards.map((row) => (
          <tr>
            <th scope="row">
              <Tiles kinds={[row.tile]} wild={wild} />
            </th>
            <td>
              <b>{away(row.distance)}</b> · <span class="num">{t("analysis_copies", { n: row.copies })}</span>
              <br />
              <Tiles kinds={Object.keys(row.useful)} wild={wild} />
            </td>
            <td class="num">{row.points ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
