import type { Verified } from "./messages";
import { hex, hmac, join, sha256, unhex } from "./sha256";
import { parseTiles } from "./tiles";

/** The walls of a fair match, derived by the steps of docs/fair-walls.md from what the record discloses. */
export interface Derived {
  /** SHA-256 of the secret is the commitment. */
  committed: boolean;
  /** For each hand: the wall follows. */
  walls: boolean[];
}

/** Null where the record commits to nothing, or its secret was never opened. */
export function derive(record: Verified): Derived | null {
  const secret = record.secret === null ? null : unhex(record.secret);
  if (record.commitment === null || !secret) return null;
  const key = keyOf(secret, record.nonces);
  const tiles = parseTiles(record.tiles);
  return {
    committed: `sha256:${hex(sha256(secret))}` === record.commitment,
    walls: record.walls.map((wall, hand) => {
      const laid = new Stream(key, `wall ${hand}`).shuffle([...tiles]);
      const drawn = record.sides ? broken(laid, record.dealers[hand]!, record.dice[hand] ?? []) : laid;
      return drawn.join() === parseTiles(wall).join();
    }),
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function number(value: number, width: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(width));
  view.setUint32(width - 4, value);
  return new Uint8Array(view.buffer);
}

const keyOf = (secret: Uint8Array, nonces: readonly string[]): Uint8Array =>
  hmac(secret, join(bytes("hongzhong fair 1"), ...nonces.map(bytes).flatMap((nonce) => [number(nonce.length, 4), nonce])));

/** The numbers of one purpose. */
class Stream {
  private block = new DataView(new ArrayBuffer(0));
  private at = 0;
  private count = 0;

  constructor(
    private readonly key: Uint8Array,
    private readonly label: string,
  ) {}

  private word(): number {
    if (this.at === this.block.byteLength) {
      this.block = new DataView(hmac(this.key, join(bytes(this.label), new Uint8Array(1), number(this.count++, 8))).buffer as ArrayBuffer);
      this.at = 0;
    }
    this.at += 4;
    return this.block.getUint32(this.at - 4);
  }

  /** From 0 to n - 1, each as likely: words beyond the last whole run of n are thrown away. */
  below(n: number): number {
    const end = 2 ** 32 - (2 ** 32 % n);
    let word = this.word();
    while (word >= end) word = this.word();
    return word % n;
  }

  shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j]!, list[i]!];
    }
    return list;
  }
}

/** The drawing order of a wall of four sides: stacks lie clockwise from the right end of seat 0's side, then 3, 2, 1. */
function broken(laid: string[], dealer: number, dice: readonly number[][]): string[] {
  const sum = (throws: readonly number[][]) => throws.flat().reduce((all, die) => all + die, 0);
  const second = (dealer + sum(dice.slice(0, 1)) - 1) % 4;
  const side = laid.length / 4;
  const from = (((4 - second) % 4) * side + 2 * sum(dice)) % laid.length;
  return [...laid.slice(from), ...laid.slice(0, from)];
}
