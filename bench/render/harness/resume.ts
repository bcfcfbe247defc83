import { nameOfItem } from './decided';
import type { Section } from './plan';
import type { Results } from './results';

/** Rounds of two sessions are one result only where these are the same; throws where they are not. */
export function refuseOthers(before: Results['about'], now: Results['about']): void {
  for (const what of ['cpu', 'browser', 'commit'] as const) {
    const [old, present] = [before[what], now[what]];
    if (old !== present)
      throw new Error(`--resume: the samples are of ${what} ${old}, not of ${present}.`);
  }
}

/** The samples there, to which this run adds; throws where it cannot. Of a contender changed since, they go. */
export function resumed(before: Results, now: Results): Results {
  refuseOthers(before.about, now.about);
  const isSame = (name: string) =>
    before.sources?.[name] === now.sources?.[name] &&
    before.versions?.[name] === now.versions?.[name];
  return {
    ...now,
    about: before.about,
    runs: before.runs.filter(({ contender }) => isSame(contender)),
  };
}

/** The rounds that complete a section: after those that are there, because a pair is of one session. */
export function roundsToAdd(
  { runs }: Results,
  { name, items }: Pick<Section, 'name' | 'items'>,
  most: number,
): { first: number; end: number } {
  const there = runs.filter(({ section }) => section === name);
  const first = 1 + Math.max(-1, ...there.map(({ round }) => round));
  const counts = items.map(
    (item) => there.filter((run) => run.sample && nameOfItem(run) === nameOfItem(item)).length,
  );
  return { first, end: first + Math.max(0, most - Math.min(...counts)) };
}
