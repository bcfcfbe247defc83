/** Hashes a text to 32 bits (FNV-1a). */
export function hashText(text: string): number {
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

/** Random draws that only depend on key, level and index, in whatever order these are visited. */
export class Draws {
  private state = 0;

  begin(key: number, level: number, index: number): void {
    this.state = mix(mix(mix(key ^ Math.imul(level + 1, 0x9e3779b9)) + index) ^ key);
  }

  /** Uniform, above 0 and below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  }

  /** Normally distributed, mean 0, variance 1 (Box–Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  pick<T>(from: { readonly length: number; readonly [index: number]: T }): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }
}
