import {
  defaultHorzScaleBehavior,
  type IHorzScaleBehavior,
  type Mutable,
  type TickMarkWeightValue,
  type Time,
  type TimeScalePoint,
} from 'lightweight-charts';
import { toUnixSeconds } from '#domain/core/time';
import type { ChartClock } from './chartClock';

/**
 * The library's time axis with days that start at local midnight instead of midnight UTC, and
 * without the labels that an edge would cut.
 */
export function localTimeAxis(
  clock: () => ChartClock | undefined,
  isCut: (time: number) => boolean,
): IHorzScaleBehavior<Time> {
  const Axis = defaultHorzScaleBehavior();
  const axis = new Axis();
  axis.fillWeightsForPoints = (points: readonly Mutable<TimeScalePoint>[], startIndex: number) => {
    const first = Number(points[0]?.originalTime);
    for (let index = startIndex; index < points.length; index++) {
      const point = points[index];
      if (!point) continue;
      const time = Number(point.originalTime);
      const previous = points[index - 1];
      // The bar before the first one is unknown: assume the distance between the first two.
      const before = previous
        ? Number(previous.originalTime)
        : 2 * first - Number(points[1]?.originalTime ?? first);
      point.timeWeight = (clock()?.weight(toUnixSeconds(time), toUnixSeconds(before)) ??
        0) as TickMarkWeightValue;
    }
  };
  axis.formatTickmark = ({ weight, originalTime }) => {
    const time = Number(originalTime);
    return isCut(time) ? '' : (clock()?.mark(toUnixSeconds(time), weight) ?? '');
  };
  // Labels are cached by this key: a bar that comes to an edge or leaves it is another one.
  axis.cacheKey = (item) => {
    const time = Number(axis.key(item));
    return isCut(time) ? -time : time;
  };
  return axis;
}
