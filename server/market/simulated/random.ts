import { createHash } from 'node:crypto';

/** Random draws that depend only on where they begin, in whatever order these places are visited. */
export abstract class Draws {
  /** Uniform, above 0 and below 1. */
  abstract next(): number;

  /** Normally distributed, mean 0, variance 1 (Box–Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  pick<T>(from: { readonly length: number; readonly [index: number]: T }): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }
}

/** A key of 256 bits. */
export type DrawKey = Int32Array;

/** The key of a text. A part of the text reveals nothing about it. */
export function drawKey(text: string): DrawKey {
  const hash = createHash('sha256').update(text).digest();
  return Int32Array.from({ length: 8 }, (_, i) => hash.readInt32LE(i * 4));
}

const WORDS = 16;
/** "expand 32-byte k" */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const COUNTER = 12;
/** ChaCha8: the best known attack is on seven rounds. */
const ROUNDS = 8;

/**
 * Draws that can't be predicted without the key, even from all other draws: with a fixed seed, or keys of 32 bits,
 * public bars would tell all future prices. The
 * keystream of ChaCha (RFC 8439, 2.3), its nonce made of level and index.
 */
export class KeyedDraws extends Draws {
  private readonly state = new Int32Array(WORDS);
  private readonly words = new Int32Array(WORDS);
  private readonly rounds: number;
  private used = WORDS;

  constructor(rounds = ROUNDS) {
    super();
    this.state.set(CONSTANTS);
    this.rounds = rounds;
  }

  begin(key: DrawKey, level: number, index: number): void {
    this.state.set(key, CONSTANTS.length);
    this.state[COUNTER] = 0;
    this.state[COUNTER + 1] = level;
    this.state[COUNTER + 2] = index;
    this.state[COUNTER + 3] = Math.floor(index / 2 ** 32);
    this.used = WORDS;
  }

  next(): number {
    return ((this.word() >>> 0) + 0.5) / 2 ** 32;
  }

  /** The next 32 bits of the keystream. */
  word(): number {
    if (this.used === WORDS) this.fill();
    return this.words[this.used++] as number;
  }

  private fill(): void {
    const { state, words } = this;
    words.set(state);
    for (let round = 0; round < this.rounds; round += 2) {
      for (let i = 0; i < 4; i++) quarter(words, i, i + 4, i + 8, i + 12);
      for (let i = 0; i < 4; i++) {
        quarter(words, i, ((i + 1) & 3) + 4, ((i + 2) & 3) + 8, ((i + 3) & 3) + 12);
      }
    }
    for (let i = 0; i < WORDS; i++) words[i] = ((words[i] as number) + (state[i] as number)) | 0;
    state[COUNTER] = (state[COUNTER] as number) + 1;
    this.used = 0;
  }
}

/** The quarter round of ChaCha. */
function quarter(words: Int32Array, ia: number, ib: number, ic: number, id: number): void {
  let a = words[ia] as number;
  let b = words[ib] as number;
  let c = words[ic] as number;
  let d = words[id] as number;
  a = (a + b) | 0;
  d = rotated(d ^ a, 16);
  c = (c + d) | 0;
  b = rotated(b ^ c, 12);
  a = (a + b) | 0;
  d = rotated(d ^ a, 8);
  c = (c + d) | 0;
  b = rotated(b ^ c, 7);
  words[ia] = a;
  words[ib] = b;
  words[ic] = c;
  words[id] = d;
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
