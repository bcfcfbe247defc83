import { millisecondOf, type UnixMs, type UnixSeconds } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import { type BarNode, DAY, LEVELS, MINUTE } from './barNode';
import { dayNode } from './days';
import type { SimulatedInstrument } from './simulatedInstrument';
import { split } from './split';

const DAY_SECONDS = LEVELS[DAY];
/** Day number of the first bar, 2000-01-01. */
const FIRST_DAY = 10_957;

export function toBar({ terms }: SimulatedInstrument, node: BarNode): Bar {
  const points = 10 ** terms.precision;
  return {
    time: node.time,
    open: node.open / points,
    high: node.high / points,
    low: node.low / points,
    close: node.close / points,
    volume: node.volume,
  };
}

/** At most `limit` bars of a level that start before `before`, newest first. */
export function nodesBefore(
  subject: SimulatedInstrument,
  level: number,
  before: UnixSeconds,
  limit: number,
): BarNode[] {
  const found: BarNode[] = [];
  const visit = (node: BarNode): void => {
    if (node.level === level) {
      found.push(node);
      return;
    }
    for (const child of split(subject, node).reverse()) {
      if (child.time < before) visit(child);
      if (found.length === limit) return;
    }
  };
  let day = Math.ceil(before / DAY_SECONDS) - 1;
  for (; day >= FIRST_DAY && found.length < limit; day--) {
    const node = dayNode(subject, day);
    if (node) visit(node);
  }
  return found;
}

/** The bar of a level that contains `time`; undefined where nothing was traded in it. */
export function nodeAt(
  subject: SimulatedInstrument,
  level: number,
  time: UnixSeconds,
): BarNode | undefined {
  let node = dayNode(subject, Math.floor(time / DAY_SECONDS));
  while (node && node.level < level) {
    const length = LEVELS[node.level + 1] as number;
    node = split(subject, node).find((child) => child.time <= time && time < child.time + length);
  }
  return node;
}

/**
 * The fewest bars that cover the time from `since` to `until`, oldest first. A one-minute bar may
 * extend beyond both.
 */
export function nodesBetween(
  subject: SimulatedInstrument,
  since: UnixMs,
  until: UnixMs,
): BarNode[] {
  const found: BarNode[] = [];
  const visit = (node: BarNode): void => {
    const begins = millisecondOf(node.time);
    const ends = begins + (LEVELS[node.level] as number) * 1000;
    if (ends <= since || begins >= until) return;
    if (node.level === MINUTE || (begins > since && ends <= until)) found.push(node);
    else for (const child of split(subject, node)) visit(child);
  };
  const dayMs = DAY_SECONDS * 1000;
  for (let day = Math.max(FIRST_DAY, Math.floor(since / dayMs)); day * dayMs < until; day++) {
    const node = dayNode(subject, day);
    if (node) visit(node);
  }
  return found;
}

/** The fewest bars that cover the part of a bar before `until`, the start of a minute. */
export function nodesOfBarUntil(
  subject: SimulatedInstrument,
  bar: BarNode,
  until: UnixSeconds,
): BarNode[] {
  if (bar.time + (LEVELS[bar.level] as number) <= until) return [bar];
  if (bar.time >= until || bar.level === MINUTE) return [];
  return split(subject, bar).flatMap((child) => nodesOfBarUntil(subject, child, until));
}
