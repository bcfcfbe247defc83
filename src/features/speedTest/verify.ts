import type { Workload } from '#domain/workload/workload';
import { formatPrice } from '../../i18n/quoteFormat';

/** The last prices sent, by code, in the list's order (`BenchWorkerApi.end`). */
type LastPrices = Readonly<Record<string, number>>;

const DECIMALS = 3;

/**
 * Counts rows or prices that don't show the last price sent, so that skipping paints can't improve
 * the result.
 */
export function countWrong(screen: Workload['screen'], box: Element, last: LastPrices): number {
  if (screen === 'list') return wrongRows(box, last);
  const [first = 0] = Object.values(last);
  return wrongPrices(screen, box, first);
}

function wrongRows(box: Element, last: LastPrices): number {
  const shown = new Map(
    Object.entries(last).map(([code, price]) => [
      `${code.slice(0, 4)}/USD`,
      formatPrice(price, DECIMALS),
    ]),
  );
  // Ignore rows with less than a pixel in sight, and the preloaded row, which is not updated.
  const top = box.getBoundingClientRect().top + 1;
  const bottom = box.getBoundingClientRect().bottom - 1;
  return [...box.querySelectorAll('[data-act=pick]')].filter((name) => {
    const row = name.closest('[role=row]') ?? name;
    const place = row.getBoundingClientRect();
    if (place.bottom < top || place.top > bottom) return false;
    const price = shown.get(name.textContent);
    return price === undefined || !row.textContent.includes(price);
  }).length;
}

function says(parts: Iterable<Element>, text: string): boolean {
  return [...parts].some((part) => part.textContent === text);
}

/**
 * Counts the places that don't show the last price: header and legend of the chart, or the button
 * of the ticket.
 */
function wrongPrices(screen: 'chart' | 'ticket', box: Element, price: number): number {
  const text = formatPrice(price, DECIMALS);
  const places =
    screen === 'ticket'
      ? [box.querySelectorAll('button span')]
      : [box.querySelectorAll('header *'), box.querySelectorAll('figure b')];
  return places.filter((parts) => !says(parts, text)).length;
}
