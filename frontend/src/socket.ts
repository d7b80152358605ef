import { signal, type Signal } from "@preact/signals";
import type { ClientMessage, ServerMessage } from "./messages";

export type State = "connecting" | "open" | "lost" | "stopped";

/** A room's socket that comes back by itself. `hello` is said anew after each connection; what is said while it is down is dropped,
 * because the server repeats what it asks. */
export class Socket {
  readonly state: Signal<State> = signal("connecting");
  private socket: WebSocket | null = null;
  private timer = 0;
  private pulse = 0;
  private heard = 0;
  private tries = 0;
  private readonly wake = () => {
    if (document.visibilityState === "visible" && this.state.value === "lost") this.open();
  };

  constructor(
    private readonly url: string,
    private readonly hello: () => ClientMessage,
    private readonly take: (message: ServerMessage) => void,
  ) {
    document.addEventListener("visibilitychange", this.wake);
    window.addEventListener("online", this.wake);
    this.open();
  }

  private open(): void {
    clearTimeout(this.timer);
    if (this.state.value === "stopped") return;
    this.drop();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.heard = Date.now();
      socket.send(JSON.stringify(this.hello()));
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      this.tries = 0;
      const message = JSON.parse(event.data) as ServerMessage;
      if (this.state.value !== "open") this.state.value = "open";
      this.take(message);
    };
    socket.onclose = () => {
      if (socket !== this.socket || this.state.value === "stopped") return;
      this.state.value = "lost";
      this.again();
    };
    clearInterval(this.pulse);
    this.pulse = window.setInterval(() => this.check(), 10_000);
  }

  /** A phone that slept keeps sockets that are long dead. */
  private check(): void {
    if (this.socket?.readyState === WebSocket.OPEN) {
      if (Date.now() - this.heard > 25_000) {
        this.drop();
        this.state.value = "lost";
        this.again();
      } else this.send({ type: "ping" });
    }
  }

  private again(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), Math.min(500 * 2 ** this.tries++, 8_000));
  }

  private drop(): void {
    const old = this.socket;
    this.socket = null;
    if (old && old.readyState <= WebSocket.OPEN) old.close();
  }

  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** For good: left, superseded or refused. */
  stop(): void {
    this.state.value = "stopped";
    clearTimeout(this.timer);
    clearInterval(this.pulse);
    document.removeEventListener("visibilitychange", this.wake);
    window.removeEventListener("online", this.wake);
    this.drop();
  }
}

export function socketUrl(path: string): string {
  const url = new URL(path, location.href.split("#")[0]);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
