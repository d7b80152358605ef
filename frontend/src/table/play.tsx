import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { forms, loadForms, sheetOf } from "../api";
import type { ActionShown, Room, Update } from "../messages";
import { pick, t } from "../i18n";
import { go } from "../router";
import type { Session } from "../session";
import { settings } from "../settings";
import { play } from "../sound";
import { tileName } from "../tiles";
import { Icon, Sheet } from "../ui";
import { actionName, Claims } from "./claims";
import { Countdown } from "./clock";
import { Felt, NamePlate, Score } from "./felt";
import { Flights } from "./flights";
import { Hand, type HandControl } from "./hand";
import { HintLine } from "./hint";
import { listen } from "./keys";
import { Menu } from "./menu";
import { MatchResult, Result } from "./result";
import { callOf, inWords, sound } from "./says";
import { bottomSeat, handNo, sitters } from "./seats";
import "./table.css";
import { Waits } from "./waits";

type Call = { id: number } & NonNullable<ReturnType<typeof callOf>>;
let calls = 0;

/** The table of a room in play: draws the last update and sends what the player chooses. */
export function Play({ session, room, update }: { session: Session; room: Room; update: Update }) {
  const { view, clock } = update;
  const seat = bottomSeat(view);
  const seats = sitters(room);
  const own = session.place.value >= 0 ? room.places[session.place.value] : undefined;
  const prompt = update.prompt && session.answered.value !== update.prompt.id ? update.prompt : null;
  const mine = prompt !== null && !prompt.auto;
  const table = useRef<HTMLElement>(null);
  const flights = useMemo(() => new Flights(() => table.current), []);
  const hand = useRef<HandControl | null>(null);
  const [picked, setPicked] = useState<{ place: number; kind: string | null }>({ place: -1, kind: null });
  const [flying, setFlying] = useState<Call[]>([]);
  const [spoken, setSpoken] = useState("");
  const [bubbles, setBubbles] = useState<Record<number, string>>({});
  const [sheet, open] = useState<"menu" | "phrases" | null>(null);
  const [away, putAway] = useState("");
  const [seen, see] = useState(-1);

  useEffect(() => {
    void loadForms().catch(() => undefined);
    session.before = () => flights.capture();
    return () => void (session.before = () => undefined);
  }, []);

  useLayoutEffect(() => {
    const { events } = update;
    flights.fly(events, view.seat);
    sound(events, view.seat);
    const names = seats.map((sitter) => sitter.name);
    const words = events.map((event) => inWords(event, names, view.seat)).filter(Boolean);
    if (update.prompt && !update.prompt.auto) {
      if (update.prompt.kind === "turn") words.push(t("asked_turn"));
      else {
        const may = update.prompt.actions.map((action) => actionName(action, update.prompt!)).join(", ");
        words.push(t("asked_claim", { name: names[update.prompt.source] ?? "", tile: update.prompt.tile ? tileName(update.prompt.tile) : "", actions: may }));
      }
      play("turn");
    }
    if (words.length) setSpoken(words.slice(-4).join("; "));
    const fresh = events.slice(-6).flatMap((event) => callOf(event) ?? []).map((call) => ({ ...call, id: ++calls }));
    if (!fresh.length) return;
    setFlying((now) => [...now, ...fresh]);
    setTimeout(() => setFlying((now) => now.filter((call) => !fresh.includes(call))), 1200);
  }, [update.seq, view.number]);

  useEffect(() => setPicked({ place: -1, kind: null }), [update.prompt?.id, view.number]);

  useEffect(() => {
    document.title = mine ? `● ${t("your_turn")}` : t("app");
    if (mine && settings.sound.value && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(25);
  }, [mine, update.prompt?.id]);
  useAwake();

  const said = session.said.value;
  useEffect(() => {
    if (!said) return;
    const at = room.seat_of[said.place] ?? said.place;
    const phrase = forms.value?.phrases[said.phrase];
    if (!phrase) return;
    setBubbles((now) => ({ ...now, [at]: pick({ zh: phrase[0], en: phrase[1] }) }));
    play("say");
    const timer = setTimeout(() => setBubbles(({ [at]: _, ...rest }) => rest), 3500);
    return () => clearTimeout(timer);
  }, [said?.id]);

  const choose = (action: ActionShown, from?: DOMRect) => {
    flights.picked = from ?? null;
    session.answer(action);
    setPicked({ place: -1, kind: null });
  };
  useEffect(
    () =>
      listen({
        hand,
        actions: () => prompt?.actions ?? [],
        choose,
        auto: () => own && session.send({ type: "auto", on: !own.auto }),
        menu: () => open("menu"),
      }),
    [prompt?.id, own?.auto],
  );

  const sheetForm = sheetOf(room.rules);
  const title = sheetForm ? pick(sheetForm).replace(/麻将$/, "") : "";
  const ended = room.state === "ended";
  const last = ended && (seen === view.number || !view.over || view.reason === "aborted");
  const paper = last ? "match" : view.over ? "hand" : "";
  const key = `${paper} ${view.number}`;
  const thinks = clock.thinking[0];
  const [discarder, discarded] = view.last_discard ?? [-1, ""];
  return (
    <main class="table" ref={table} onClick={() => setPicked({ place: -1, kind: null })}>
      <h1 class="hidden-text">{t("table_label")}</h1>
      {picked.kind && <style>{`.felt .tile[data-kind="${picked.kind}"] .body { box-shadow: 0 0 0 2px var(--accent); }`}</style>}
      <header class="table-head">
        <button type="button" class="head-button" aria-label={t("menu")} onClick={() => open("menu")}>
          <Icon name="menu" />
        </button>
        <span class="title">
          <span class="rules-name">{title}</span> <span class="num">{handNo(view)}</span>
        </span>
        {own && (
          <span class="head-tools">
            <button type="button" class="head-button" aria-label={t("phrases")} onClick={() => open("phrases")}>
              <Icon name="chat" />
            </button>
            <button
              type="button"
              class="head-button"
              aria-label={t("auto_play")}
              aria-pressed={own.auto}
              onClick={() => session.send({ type: "auto", on: !own.auto })}
            >
              <Icon name="robot" />
            </button>
          </span>
        )}
      </header>
      <Felt
        view={view}
        sitters={seats}
        bubbles={bubbles}
        calls={flying}
        open={view.over}
        thinking={clock.thinking}
        middle={
          <>
            <span class="remaining num" role="img" aria-label={t("remaining_label", { n: view.remaining })}>
              {t("remaining", { n: view.remaining })}
            </span>
            <Countdown update={update} at={session.at.value} running={session.answered.value !== update.prompt?.id} />
            {!view.over && (
              <span class="whose">
                {clock.paused
                  ? t("paused")
                  : thinks === view.seat
                  ? t("your_turn")
                  : thinks !== undefined
                    ? t("turn_of", { name: seats[thinks]?.name ?? "" })
                    : discarder >= 0
                      ? t("said_discard", { name: seats[discarder]?.name ?? "", tile: tileName(discarded) })
                      : "…"}
              </span>
            )}
          </>
        }
      />
      <div class="above">
        <section class={`own-line ${view.turn === seat && !view.over ? "active" : ""}`} aria-label={seats[seat]?.name}>
          <NamePlate view={view} seat={seat} sitter={seats[seat]!} />
          <Score view={view} seat={seat} name={seats[seat]?.name ?? ""} />
          {view.seat < 0 && <span class="watching">{t("spectating")}</span>}
          {room.settings.hints && view.seat >= 0 && (view.waits.length ? <Waits view={view} /> : <HintLine session={session} prompt={prompt} view={view} picked={picked.kind} />)}
          {bubbles[seat] && <p class="bubble">{bubbles[seat]}</p>}
        </section>
        {own?.auto ? (
          <div class="claims auto-on">
            <span>{t("auto_playing")}</span>
            <button type="button" class="claim" onClick={() => session.send({ type: "auto", on: false })}>
              {t("take_back")}
            </button>
          </div>
        ) : view.over ? (
          <div class="claims">
            <span class="between" />
            <button type="button" class="claim" onClick={() => putAway("")}>
              {t("see_result")}
            </button>
          </div>
        ) : (
          <Claims prompt={prompt} wild={view.wild} choose={choose} careful={room.options.calls !== "manual"} />
        )}
      </div>
      <Hand
        view={view}
        seat={seat}
        prompt={own?.auto ? null : prompt}
        name={seats[seat]?.name ?? ""}
        choose={choose}
        picked={picked.place}
        pick={(place, kind) => setPicked({ place, kind })}
        control={hand}
      />
      <p class="hidden-text" aria-live="polite">
        {spoken}
      </p>
      {paper === "hand" && away !== key && (
        <Result session={session} room={room} update={update} sitters={seats} close={() => putAway(key)} end={ended ? () => see(view.number) : null} />
      )}
      {paper === "match" && away !== key && <MatchResult session={session} room={room} update={update} close={() => putAway(key)} />}
      {sheet === "menu" && <Menu session={session} room={room} close={() => open(null)} leave={() => leave(session)} />}
      {sheet === "phrases" && (
        <Sheet title={t("phrases")} close={() => open(null)}>
          {forms.value?.phrases.map(([zh, en], phrase) => (
            <button
              type="button"
              class="button"
              onClick={() => {
                session.send({ type: "say", phrase });
                open(null);
              }}
            >
              {pick({ zh, en })}
            </button>
          ))}
        </Sheet>
      )}
    </main>
  );
}

/** Keeps a phone's screen on while playing, where the browser lets us. */
function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const ask = () => {
      if (document.visibilityState !== "visible") return;
      navigator.wakeLock?.request("screen").then(
        (got) => (lock = got),
        () => undefined,
      );
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      document.removeEventListener("visibilitychange", ask);
      void lock?.release();
    };
  }, []);
}

function leave(session: Session): void {
  session.send({ type: "leave" });
  session.leave();
  go();
}
