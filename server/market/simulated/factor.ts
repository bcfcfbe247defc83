import { KeyedDraws } from './random';
import { type Step, Walk } from './walk';

/** Normal draws for the children of one bar: their moves, and their activity. */
export interface Noise {
  moves: Float64Array;
  liveliness: Float64Array;
}

const CACHE_SIZE = 2048;

/** A walk that many instruments share. Recent draws are cached. */
export class Factor extends Walk {
  private readonly noises = new Map<number, Noise>();
  private readonly steps = new Map<number, Step>();
  private readonly noiseDraws = new KeyedDraws();

  override step(index: number): Step {
    return cached(this.steps, index, () => super.step(index));
  }

  /** Draws for the `count` children of the bar with this level and index. */
  noise(level: number, index: number, count: number): Noise {
    return cached(this.noises, index * 8 + level, () => {
      this.noiseDraws.begin(this.key, level, index);
      const moves = new Float64Array(count);
      const liveliness = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        moves[i] = this.noiseDraws.normal();
        liveliness[i] = this.noiseDraws.normal();
      }
      return { moves, liveliness };
    });
  }
}

function cached<T>(memory: Map<number, T>, key: number, make: () => T): T {
  let value = memory.get(key);
  if (!value) {
    if (memory.size >= CACHE_SIZE) memory.clear();
    value = make();
    memory.set(key, value);
  }
  return value;
}
