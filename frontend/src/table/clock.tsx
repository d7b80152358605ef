import { useEffect, useState } from "preact/hooks";
import type { Update } from "../messages";
import { play } from "../sound";

/** Seconds left to answer: first of the move, then of the bank. Nothing where there is no clock or nothing is asked. */
export function Countdown({ update, at, running }: { update: Update; at: number; running: boolean }) {
  const prompt = running ? update.prompt : null;
  const timed = prompt !== null && prompt.until >= 0;
  const [now, tick] = useState(performance.now());
  useEffect(() => {
    if (!timed) return;
    tick(performance.now());
    const timer = setInterval(() => tick(performance.now()), 250);
    return () => clearInterval(timer);
  }, [timed, at]);
  const passed = Math.max(0, now - at);
  const whole = timed ? Math.max(0, prompt.until - passed) : 0;
  const move = timed ? Math.max(0, prompt.move - passed) : 0;
  const seconds = Math.ceil((move > 0 ? move : whole) / 1000);
  useEffect(() => {
    if (timed && whole > 0 && whole < 5500) play("tick");
  }, [timed && whole < 5500 ? seconds : -1]);
  if (!timed) return null;
  return (
    <span class={`countdown num ${move > 0 ? "" : "bank"} ${whole < 5500 ? "late" : ""}`} role="timer" aria-label={String(seconds)}>
      {seconds}
    </span>
  );
}
