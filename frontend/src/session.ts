import { signal } from "@preact/signals";
import type { ActionShown, AnyEvent, ClientMessage, HintGiven, Pay, Result, Room, ServerMessage, Update } from "./messages";
import { PROTOCOL } from "./messages";
import { pick } from "./i18n";
import { random } from "./random";
import { Socket, socketUrl } from "./socket";

const KEY = "hz.seat.";

/** The signed seat that this browser holds in a room. */
export function seatOf(code: string): string {
  try {
    return localStorage.getItem(KEY + code) ?? "";
  } catch {
    return held.get(code) ?? "";
  }
}
const held = new Map<string, string>();

export function keepSeat(code: string, token: string): void {
  held.set(code, token);
  try {
    if (token) localStorage.setItem(KEY + code, token);
    else localStorage.removeItem(KEY + code);
  } catch {
    // kept for this window only
  }
}

/** Codes of the rooms in which this browser holds a seat. */
export function heldSeats(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(KEY))
      .map((key) => key.slice(KEY.length));
  } catch {
    return [...held.keys()];
  }
}

export interface Notice {
  id: number;
  text: string;
}

/** One room as this browser sees it. */
export class Session {
  readonly room = signal<Room | null>(null);
  readonly place = signal(-1);
  readonly update = signal<Update | null>(null);
  /** When the update came, for clocks. */
  readonly at = signal(0);
  readonly result = signal<Result | null>(null);
  /** Payments of the hand in play, as far as they were seen here. */
  readonly pays = signal<Pay[]>([]);
  /** The prompt that was answered here; until the next update nothing more is offered. */
  readonly answered = signal(-1);
  readonly hint = signal<HintGiven | null>(null);
  readonly said = signal<{ place: number; phrase: number; id: number } | null>(null);
  readonly notice = signal<Notice | null>(null);
  readonly superseded = signal(false);
  /** Why the room cannot be entered, by the server's code. */
  readonly refused = signal<{ code: string; text: string } | null>(null);
  readonly socket: Socket;
  /** Hooks of the table: before an update is shown, and after. */
  before: () => void = () => undefined;
  /** The own seat's token, once asked for. */
  readonly token = signal("");
  private count = 0;

  constructor(
    readonly code: string,
    password = "",
  ) {
    this.socket = new Socket(
      socketUrl(`api/rooms/${encodeURIComponent(code)}/socket`),
      () => ({ type: "hello", protocol: PROTOCOL, token: seatOf(code), nonce: random(), password }),
      (message) => this.take(message),
    );
  }

  private take(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.place.value = message.place;
        this.room.value = message.room;
        break;
      case "room":
        this.room.value = message.room;
        break;
      case "update":
        this.before();
        this.answered.value = -1;
        this.hint.value = null;
        this.result.value = lastResult(message.events) ?? (message.events.some((e) => e.type === "hand") ? null : this.result.value);
        this.pays.value = paid(this.pays.value, this.fresh(message));
        this.at.value = performance.now();
        this.update.value = { ...message, events: this.fresh(message) };
        break;
      case "said":
        this.said.value = { place: message.place, phrase: message.phrase, id: ++this.count };
        break;
      case "hint":
        this.hint.value = message;
        break;
      case "seat":
        this.token.value = message.token;
        break;
      case "pong":
        break;
      case "superseded":
        this.superseded.value = true;
        this.socket.stop();
        break;
      case "error":
        this.refuse(message.code, pick(message), message.fatal);
        break;
    }
  }

  /** What happened since the view shown before; nothing of it on coming in. */
  private fresh(message: Update): AnyEvent[] {
    const before = this.update.value;
    const news = before && message.seq > before.seq ? message.seq - before.seq : 0;
    return news ? message.events.slice(-news) : [];
  }

  private refuse(code: string, text: string, fatal: boolean): void {
    this.answered.value = -1;
    if (fatal) {
      this.refused.value = { code, text };
      this.socket.stop();
    } else this.notice.value = { id: ++this.count, text };
  }

  answer(action: ActionShown): void {
    const prompt = this.update.value?.prompt;
    if (!prompt || this.answered.value === prompt.id) return;
    if (this.socket.send({ type: "answer", prompt: prompt.id, action: action.action })) this.answered.value = prompt.id;
  }

  send(message: ClientMessage): void {
    this.socket.send(message);
  }

  /** To begin the match or go on to its next hand. */
  ready(on: boolean): void {
    this.send({ type: "ready", on, nonce: random() });
  }

  /** Gives the seat up for good. */
  leave(): void {
    keepSeat(this.code, "");
    this.stop();
  }

  stop(): void {
    this.socket.stop();
  }
}

function paid(before: Pay[], events: readonly AnyEvent[]): Pay[] {
  let pays = before;
  for (const event of events)
    if (event.type === "hand") pays = [];
    else if (event.type === "pay") pays = [...pays, event];
  return pays;
}

function lastResult(events: readonly AnyEvent[]): Result | undefined {
  return events.filter((event): event is Result => event.type === "result").pop();
}
