import { compare, toText } from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import { type Waiting, waitingAt } from '#domain/trading/alert';
import type { AlertState } from './alertState';

/**
 * The waiting alerts of one instrument, sorted by level: a tick looks at the two levels around the
 * price, however many alerts there are.
 */
export class AlertLevels {
  /** Nearest to the price first: the last elements are reached first. */
  private readonly levels: Record<'rise' | 'fall', AlertState[]> = { rise: [], fall: [] };
  /** Those on whose level the price stands. */
  private readonly resting = new Set<AlertState>();
  // A double is the nearest of its decimal, which keeps their order: a price within these two reaches no level.
  private lowest = Number.POSITIVE_INFINITY;
  private highest = Number.NEGATIVE_INFINITY;

  get isEmpty(): boolean {
    const { rise, fall } = this.levels;
    return rise.length + fall.length + this.resting.size === 0;
  }

  add(alert: AlertState): void {
    if (alert.waits === '') this.resting.add(alert);
    else {
      const list = this.levels[alert.waits];
      list.splice(placeOf(list, alert.waits, alert.price), 0, alert);
    }
    this.updateBounds();
  }

  delete(alert: AlertState): void {
    this.resting.delete(alert);
    for (const list of Object.values(this.levels)) {
      const index = list.indexOf(alert);
      if (index >= 0) list.splice(index, 1);
    }
    this.updateBounds();
  }

  /** Whether a price may reach or leave a level. */
  isNear(price: number): boolean {
    return price >= this.lowest || price <= this.highest || this.resting.size > 0;
  }

  /** Those that the price crosses. */
  crossedAt(price: Price): AlertState[] {
    const crossed: AlertState[] = [];
    for (const waits of ['rise', 'fall'] as const) {
      const list = this.levels[waits];
      for (let i = list.length - 1; i >= 0; i--) {
        const alert = list[i] as AlertState;
        const distance = compare(price, alert.price);
        if (waits === 'rise' ? distance < 0 : distance > 0) break;
        crossed.push(alert);
      }
    }
    return crossed;
  }

  /** Those whose level the price has left, with the side on which it stands now. */
  leftAt(price: Price): { alert: AlertState; waits: Waiting }[] {
    return [...this.resting].flatMap((alert) => {
      const waits = waitingAt(alert.price, price);
      return waits === '' ? [] : { alert, waits };
    });
  }

  private updateBounds(): void {
    this.lowest = numberOf(this.levels.rise.at(-1)) ?? Number.POSITIVE_INFINITY;
    this.highest = numberOf(this.levels.fall.at(-1)) ?? Number.NEGATIVE_INFINITY;
  }
}

function numberOf(alert: AlertState | undefined): number | undefined {
  return alert && Number(toText(alert.price));
}

/** Where a level belongs: levels to rise to fall towards the end, levels to fall to rise. */
function placeOf(list: readonly AlertState[], waits: 'rise' | 'fall', level: Price): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const distance = compare((list[middle] as AlertState).price, level);
    if (waits === 'rise' ? distance > 0 : distance < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
