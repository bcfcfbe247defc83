import { millisecondOf } from '#domain/core/time';
import type { LineCondition } from '#domain/trading/condition';
import { axisMode } from '../chart/chartSettings';
import type { Drawing } from './drawing';

/** What an alert on a drawing is on: a price, or a line; undefined for drawings that no price crosses. */
export function watchableOf({
  kind,
  anchors,
}: Drawing): { price?: string; condition?: LineCondition } | undefined {
  const [from, to] = anchors;
  if (kind === 'horizontal' && from) return { price: from.price };
  const isLine = kind === 'trend' || kind === 'ray' || kind === 'channel';
  if (!isLine || !from || !to || from.time === to.time) return undefined;
  const condition: LineCondition = {
    kind: 'line',
    ...{ t1: millisecondOf(from.time), p1: Number(from.price) },
    ...{ t2: millisecondOf(to.time), p2: Number(to.price) },
    // Straight as it is drawn.
    scale: axisMode.peek() === 'logarithmic' ? 'log' : 'linear',
    // Between two points of the past no price comes any more.
    extend: kind === 'ray' && to.time < from.time ? 'left' : 'right',
  };
  return { condition };
}
