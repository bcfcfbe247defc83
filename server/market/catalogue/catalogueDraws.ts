import { Draws } from '../simulated/random';

/** Draws of the generated instruments, which are the same in every market and no secret. */
export class CatalogueDraws extends Draws {
  private state = 0;

  begin(index: number): void {
    this.state = mix(mix(mix(KEY ^ GOLDEN) + index) ^ KEY);
  }

  /** mulberry32 */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  }
}

const GOLDEN = 0x9e3779b9;
const KEY = hashText('catalogue');

/** Hashes a text to 32 bits (FNV-1a). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

/** Finaliser of MurmurHash3: every input bit affects every output bit. */
function mix(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
