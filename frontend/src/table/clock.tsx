import { useEffect, useState } from "preact/hooks";
import type { Update } from "../messages";
import { play } from "../sound";

/** Seconds left to answer: first of the move, then of the bank; while another thinks, of all that he has. Nothing without a clock. */
export function Countdown({ update, at, running }: { update: Update; at: number; running: boolean }) {
  const asked = running ? update.prompt : null;
  const { clock, view } = update;
  const own = asked !== null;
  const until = asked ? asked.until : view.over || clock.paused ? -1 : clock.until;
  const timed = until >= 0;
  const [now, tick] = useState(performance.now());
  useEffect(() => {
    if (!timed) return;
    tick(performance.now());
    const timer = setInterval(() => tick(performance.now()), 250);
    return () => clearInterval(timer);
  }, [timed, at]);
  const passed = Math.max(0, now - at);
  const whole = timed ? Math.max(0, until - passed) : 0;
  const move = asked ? Math.max(0, asked.move - passed) : whole;
  const seconds = Math.ceil((move > 0 ? move : whole) / 1000);
  const late = own && timed && whole < 5500;
  useEffect(() => {
    if (late && whole > 0) play("tick");
  }, [late ? seconds : -1]);
  if (!timed) return null;
  return (
    <span class={`countdown num ${own ? "" : "other"} ${move > 0 ? "" : "bank"} ${late ? "late" : ""}`} role="timer" aria-label={String(seconds)}>
      {seconds}
    </span>
  );
}
