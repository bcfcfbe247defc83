/** `few` in `npm test`, `all` in `npm run soak`. */
export function samples(few: number, all: number): number {
  return process.env.SOAK ? all : few;
}

/** A seed to repeat a run with: `SEED=…`, or the same one every time. */
export const seed = Number(process.env.SEED ?? 20260105);
