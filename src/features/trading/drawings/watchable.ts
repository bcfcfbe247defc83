import { millisecondOf } from '#domain/core/time';
import type { LineCondition } from '#domain/trading/condition';
import type { AxisMode } from '../chart/chartStyle';
import type { Drawing } from './drawing';

/** What an alert on a drawing is on: a price, or a line, straight on the axis that it is drawn on; undefined for drawings that no price crosses. */
export function watchableOf(
  { kind, anchors }: Pick<Drawing, 'kind' | 'anchors'>,
  axis: AxisMode,
): { price?: string; condition?: LineCondition } | undefined {
  const [from, to] = anchors;
  if (kind === 'horizontal' && from) return { price: from.price };
  const isLine = kind === 'trend' || kind === 'ray' || kind === 'channel';
  if (!isLine || !from || !to || from.time === to.time) return undefined;
  const condition: LineCondition = {
    kind: 'line',
    ...{ t1: millisecondOf(from.time), p1: Number(from.price) },
    ...{ t2: millisecondOf(to.time), p2: Number(to.price) },
    scale: axis === 'logarithmic' ? 'log' : 'linear',
    // Between two points of the past no price comes any more.
    extend: kind === 'ray' && to.time < from.time ? 'left' : 'right',
  };
  return { condition };
}
