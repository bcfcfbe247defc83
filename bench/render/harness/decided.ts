import { nameOf } from '#domain/workload/workload';
import { FEWEST } from '../../lib/statistics';
import type { Item, Section } from './plan';
import { type Results, ratio } from './results';

/** The half width of an interval that decides. */
export const DECIDED = 0.03;

/** What a contender may take beside its floor, ms. */
const PATIENCE = 4 * 60_000;

export const nameOfItem = ({ contender, workload }: Item) => `${contender}, ${nameOf(workload)}`;

/**
 * What more pairs may still change: a ratio to the floor is not yet known to ± DECIDED, and its time is not over. The floor
 * runs as long as anything beside it.
 */
export function openItems(
  results: Results,
  { floor, items }: Pick<Section, 'floor' | 'items'>,
  taken: ReadonlyMap<string, number>,
): Item[] {
  if (floor === undefined) return [...items];
  const isOpen = (item: Item): boolean =>
    (taken.get(nameOfItem(item)) ?? 0) <= PATIENCE &&
    (['react', 'whole'] as const).some((part) => {
      const pair = [item.contender, floor] as const;
      const { count, low, high, median } = ratio(
        results,
        item.workload,
        pair,
        ({ cpu }) => cpu[part],
      );
      return count < FEWEST || high - low > 2 * DECIDED * median;
    });
  const open = items.filter((item) => item.contender !== floor && isOpen(item));
  const beside = new Set(open.map(({ workload }) => nameOf(workload)));
  const floors = items.filter(
    ({ contender, workload }) => contender === floor && beside.has(nameOf(workload)),
  );
  return [...floors, ...open];
}
