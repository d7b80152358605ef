import { settings } from "./settings";

/** Sounds made on the spot: wood, bone, a small bell. Browsers let us sound only after a touch or key. */
let context: AudioContext | null = null;

function unlock(): void {
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
  } catch {
    context = null;
  }
}
for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, unlock, { capture: true, passive: true });

/** A knock: a short burst of noise through a narrow filter. */
function knock(at: number, pitch: number, length: number, loud: number): void {
  const size = Math.ceil(context!.sampleRate * length);
  const buffer = context!.createBuffer(1, size, context!.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < size; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / size) ** 3;
  const source = context!.createBufferSource();
  source.buffer = buffer;
  const filter = context!.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  const gain = context!.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(context!.destination);
  source.start(at);
}

function tone(at: number, pitch: number, length: number, loud: number, type: OscillatorType = "sine"): void {
  const oscillator = context!.createOscillator();
  oscillator.type = type;
  oscillator.frequency.value = pitch;
  const gain = context!.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(context!.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

const SOUNDS = {
  discard: (at: number) => {
    knock(at, 1900, 0.07, 1.1);
    knock(at + 0.012, 900, 0.05, 0.5);
  },
  draw: (at: number) => knock(at, 2600, 0.03, 0.22),
  chow: (at: number) => call(at, 392, 494),
  pung: (at: number) => call(at, 440, 440),
  kong: (at: number) => call(at, 349, 523),
  win: (at: number) => [523, 659, 784, 1047].forEach((pitch, i) => tone(at + i * 0.09, pitch, 0.9, 0.16, "triangle")),
  lost: (at: number) => [392, 330].forEach((pitch, i) => tone(at + i * 0.14, pitch, 0.5, 0.1, "triangle")),
  turn: (at: number) => tone(at, 880, 0.35, 0.07),
  tick: (at: number) => knock(at, 3200, 0.02, 0.5),
  say: (at: number) => tone(at, 660, 0.15, 0.05),
};
function call(at: number, low: number, high: number): void {
  knock(at, 1200, 0.09, 1.2);
  tone(at, low, 0.18, 0.14, "triangle");
  tone(at + 0.09, high, 0.3, 0.14, "triangle");
}

export type Sound = keyof typeof SOUNDS;

export function play(name: Sound): void {
  if (!settings.sound.value || context?.state !== "running") return;
  SOUNDS[name](context.currentTime);
}
