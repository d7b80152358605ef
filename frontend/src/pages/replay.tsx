import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { apiUrl, get, loadForms } from "../api";
import { pick, t } from "../i18n";
import type { Frame, Pay, RecordShown, Replay } from "../messages";
import { ending, recordId, recordLink, rulesName } from "../records";
import { go, href, route, swap } from "../router";
import { Felt, NamePlate, Score } from "../table/felt";
import { Flights } from "../table/flights";
import { Hand } from "../table/hand";
import { HandResult } from "../table/result";
import { callOf, sound } from "../table/says";
import type { Sitter } from "../table/seats";
import "../table/table.css";
import { Waits } from "../table/waits";
import { Choice, Field, Icon, Page, Sheet, signed, Switch } from "../ui";
import "./replay.css";
import { CopyLine } from "./share";
import { UploadFile } from "./upload";

/** A record step by step: `#/replay/ID/HAND`. Without an id it asks for one. */
export function ReplayPage() {
  const [id, number] = route.value.args;
  return id ? <Opened key={id} id={id} number={Number(number) || 0} /> : <Find />;
}

/** By link or id, or out of a file. */
function Find() {
  const [text, write] = useState("");
  const [wrong, tell] = useState("");
  const open = (event: Event) => {
    event.preventDefault();
    const id = recordId(text);
    if (id) go("replay", id);
    else tell(t("replay_find_wrong"));
  };
  return (
    <Page title={t("replay_title")}>
      <form class="paper" onSubmit={open}>
        <Field label={t("replay_find")} wrong={wrong}>
          <span class="row nowrap">
            <input class="grow" value={text} autocomplete="off" spellcheck={false} onInput={(event) => (write(event.currentTarget.value), tell(""))} />
            <button class="button">{t("replay_open")}</button>
          </span>
        </Field>
      </form>
      <section class="paper">
        <UploadFile done={(id) => go("replay", id)} />
        <a class="button" href={href("history")}>
          {t("replay_own")}
        </a>
      </section>
    </Page>
  );
}

function Opened({ id, number }: { id: string; number: number }) {
  const [record, show] = useState<RecordShown | null>(null);
  const [replay, play] = useState<Replay | null>(null);
  const [side, sit] = useState<{ seat: number; open: boolean } | null>(null);
  const [problem, tell] = useState("");
  useEffect(() => {
    void loadForms().catch(() => undefined);
    get<RecordShown>(`records/${encodeURIComponent(id)}`).then(
      (found) => {
        show(found);
        sit({ seat: Math.max(found.card.seat, 0), open: true });
      },
      (error: Error) => tell(error.message),
    );
  }, [id]);
  useEffect(() => {
    if (!side) return;
    let stale = false;
    get<Replay>(`records/${encodeURIComponent(id)}/hands/${number}?seat=${side.seat}&open=${side.open ? 1 : 0}`).then(
      (found) => !stale && (play(found), tell("")),
      (error: Error) => !stale && tell(error.message),
    );
    return () => void (stale = true);
  }, [id, number, side]);
  if (problem || !record || !replay || !side)
    return (
      <Page title={t("replay_title")}>
        {problem ? (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        ) : (
          <p>{t("loading")}</p>
        )}
      </Page>
    );
  return <Player key={replay.number} record={record} replay={replay} side={side} sit={sit} />;
}

const PACE = 900;
const SPEEDS = [0.5, 1, 2, 4] as const;
const KEYS: Record<string, (now: number) => number> = { ArrowRight: (now) => now + 1, ArrowLeft: (now) => now - 1, Home: () => 0, End: () => Infinity };
/** Chosen once for all hands of a record. */
let pace = 1;
let going = false;

function Player({ record, replay, side, sit }: {
  record: RecordShown;
  replay: Replay;
  side: { seat: number; open: boolean };
  sit: (side: { seat: number; open: boolean }) => void;
}) {
  const { frames } = replay;
  const last = frames.length - 1;
  const [at, put] = useState(() => dealt(frames));
  const [playing, run] = useState(going);
  const [speed, hurry] = useState(pace);
  const [sheet, open] = useState<"menu" | "result" | null>(null);
  const table = useRef<HTMLElement>(null);
  const flights = useMemo(() => new Flights(() => table.current), []);
  const shown = useRef(-1);
  const step = Math.min(at, last);
  const frame = frames[step]!;
  const { view } = frame;
  const sitters: Sitter[] = replay.players.map((name) => ({ name, bot: false, connected: true, auto: false }));
  const pays = frames.slice(0, step + 1).flatMap(({ event }): Pay[] => (event.type === "pay" ? [event] : []));
  const more = replay.number + 1 < record.hands.length;

  const to = (next: (now: number) => number) => {
    flights.capture();
    put((now) => Math.max(0, Math.min(last, next(Math.min(now, last))))); // keys may come faster than pictures
  };
  const start = (on: boolean) => {
    going = on;
    run(on);
    if (on && step === last) to(() => dealt(frames));
  };
  const jump = (number: number) => {
    open(null);
    swap("replay", record.card.id, String(number));
  };
  useLayoutEffect(() => {
    if (step === shown.current + 1) {
      flights.fly([frame.event], view.seat);
      if (playing) sound([frame.event], view.seat);
    }
    shown.current = step;
  }, [step]);
  useEffect(() => {
    if (!playing || sheet) return;
    if (step === last) {
      start(false);
      open("result");
      return;
    }
    const timer = setTimeout(() => to((now) => now + 1), PACE / speed);
    return () => clearTimeout(timer);
  }, [playing, step, speed, sheet, last]);
  useEffect(() => {
    document.title = `${t("replay_title")} · ${t("app")}`;
  });
  // with the page itself: a listener of the page before would still take a closed sheet for open and lose the key
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (sheet || event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("input, dialog")) return;
      const next = KEYS[event.key];
      if (next) {
        start(false);
        to(next);
      } else if (event.key === " " && !(event.target as HTMLElement).closest("button, a")) start(!playing);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  });

  const call = callOf(frame.event);
  const words = pick(frame);
  const name = (seat: number) => replay.players[seat] ?? "";
  return (
    <main class="table replay" ref={table}>
      <h1 class="hidden-text">{t("replay_title")}</h1>
      <header class="table-head">
        <a class="head-button" href={href("history")} aria-label={t("replay_own")}>
          <Icon name="back" />
        </a>
        <span class="title">
          <span class="rules-name">{rulesName(record.card).replace(/麻将$/, "")}</span> <span class="num">{t("hand_no", { n: replay.number + 1, of: record.hands.length })}</span>
        </span>
        <span class="head-tools">
          <button type="button" class="head-button" aria-label={t("menu")} onClick={() => open("menu")}>
            <Icon name="menu" />
          </button>
        </span>
      </header>
      <Felt
        view={view}
        sitters={sitters}
        open={side.open || view.over}
        calls={call ? [{ id: step, ...call }] : []}
        middle={
          <>
            <span class="remaining num" role="img" aria-label={t("remaining_label", { n: view.remaining })}>
              {t("remaining", { n: view.remaining })}
            </span>
            <span class="whose" aria-live="polite">
              {words}
            </span>
          </>
        }
      />
      <div class="above">
        <section class={`own-line ${view.turn === view.seat && !view.over ? "active" : ""}`} aria-label={name(view.seat)}>
          <NamePlate view={view} seat={view.seat} sitter={sitters[view.seat]!} />
          <Score view={view} seat={view.seat} name={name(view.seat)} />
          {view.over ? (
            <button type="button" class="hint-button" onClick={() => open("result")}>
              {t("see_result")}
            </button>
          ) : (
            <Waits view={view} />
          )}
        </section>
        <div class="claims steps" role="group" aria-label={t("replay_controls")}>
          <button type="button" class="claim" aria-label={t("replay_previous")} disabled={step === 0} onClick={() => (start(false), to((now) => now - 1))}>
            <Icon name="previous" />
          </button>
          <button type="button" class="claim" data-action="play" aria-label={t(playing ? "replay_pause" : "replay_play")} onClick={() => start(!playing)}>
            <Icon name={playing ? "pause" : "play"} />
          </button>
          <button type="button" class="claim" data-action="step" aria-label={t("replay_next")} disabled={step === last} onClick={() => (start(false), to((now) => now + 1))}>
            <Icon name="next" />
          </button>
          <input
            type="range"
            min={0}
            max={last}
            value={step}
            aria-label={t("replay_step", { n: step, of: last })}
            aria-valuetext={`${t("replay_step", { n: step, of: last })}, ${words}`}
            onInput={(event) => {
              const chosen = event.currentTarget.valueAsNumber;
              start(false);
              to(() => chosen);
            }}
          />
          <output class="num">
            {step}/{last}
          </output>
        </div>
      </div>
      <Hand
        view={side.open && view.turn !== view.seat ? { ...view, drawn: null } : view}
        seat={view.seat}
        prompt={null}
        name={name(view.seat)}
        choose={() => undefined}
        picked={-1}
        pick={() => undefined}
        control={{ current: null }}
      />
      {sheet === "result" && (
        <Sheet
          title={t("payments")}
          class="result"
          close={() => open(null)}
          foot={
            <>
              <button type="button" class="button" onClick={() => open(null)}>
                {t("see_table")}
              </button>
              {more && (
                <button type="button" class="button main" data-action="next" onClick={() => jump(replay.number + 1)}>
                  {t("next_hand")}
                </button>
              )}
            </>
          }
        >
          <HandResult view={frames[last]!.view} sitters={sitters} rules={record.card.rules} pays={pays} />
        </Sheet>
      )}
      {sheet === "menu" && (
        <Sheet title={t("replay_title")} close={() => open(null)}>
          <p class="soft">{pick({ zh: record.summary_zh, en: record.summary_en })}</p>
          <Switch label={t("replay_all_open")} on={side.open} set={(on) => sit({ ...side, open: on })} />
          <Choice label={t("replay_side")} value={side.seat} options={replay.players.map((who, seat) => [seat, who] as const)} set={(seat) => sit({ ...side, seat })} />
          <Choice label={t("replay_speed")} value={speed} options={SPEEDS.map((one) => [one, `${one}×`] as const)} set={(one) => hurry((pace = one))} />
          <section class="stack">
            <h3>{t("replay_hands")}</h3>
            <ol class="lines hands">
              {record.hands.map((hand) => (
                <li>
                  <button type="button" class="button" aria-current={hand.number === replay.number} onClick={() => jump(hand.number)}>
                    <span>
                      {t("hand_n", { n: hand.number + 1 })} · {ending(hand, replay.players)}
                    </span>
                    <small class="num soft">{hand.scores.map(signed).join(" ")}</small>
                  </button>
                </li>
              ))}
            </ol>
          </section>
          <section class="stack">
            <h3>{t("replay_share")}</h3>
            <CopyLine link={recordLink(record.card.id)} />
            <span class="row">
              <a class="button grow" href={apiUrl(`records/${record.card.id}/file`)} download>
                {t("save_record")}
              </a>
              <a class="button grow" href={href("verify", record.card.id)}>
                {t("verify")}
              </a>
            </span>
          </section>
        </Sheet>
      )}
    </main>
  );
}

/** The step at which all tiles are dealt. */
const dealt = (frames: readonly Frame[]): number => Math.max(0, frames.map((frame) => frame.event.type).lastIndexOf("deal"));
