import { useEffect } from 'react';
import { FRAME_MS } from '#domain/worker/workerApi';
import { measureFrameCost } from '../worker/frameCost';
import { currentFrameInterval, setCurrentFrameInterval } from '../worker/frameInterval';
import { observeFrames } from '../worker/frameReceiver';
import { workerApi } from '../worker/workerApi';

/** Measure one frame in this many. */
const SAMPLED = 16;
/** Weight of a new measurement in the moving average. */
const WEIGHT = 0.3;
/** Scrolling has ended when no scroll event came for this long, ms. */
const STILL = 150;
/** Possible frame intervals of the list, ms (D68). */
const FRAME_INTERVALS = [FRAME_MS, 100, 200] as const;
export type FrameInterval = (typeof FRAME_INTERVALS)[number];

/** While the user scrolls, prices are drawn this many times more rarely. */
const SCROLLING = 2;
const SLOWEST = Math.max(...FRAME_INTERVALS);

/**
 * Sets how often the worker sends frames of the list: as often as this device can draw them, more
 * rarely while something scrolls (D68).
 */
export function useFrameInterval(): void {
  useEffect(() => {
    const least = shortestFrameInterval(navigator);
    let frameInterval: FrameInterval = least;
    let cost = 0;
    let frames = 0;
    let scrolling: ReturnType<typeof setTimeout> | undefined;

    function send(): void {
      const next =
        scrolling === undefined ? frameInterval : Math.min(SLOWEST, frameInterval * SCROLLING);
      if (next === currentFrameInterval()) return;
      setCurrentFrameInterval(next);
      void workerApi.setFrameInterval(next);
    }

    const unobserve = observeFrames((_, began) => {
      frames += 1;
      if (frames % SAMPLED > 0) return;
      measureFrameCost(began, (latest) => {
        cost += (latest - cost) * WEIGHT;
        frameInterval = frameIntervalFor(cost, frameInterval, least);
        send();
      });
    });

    function ended(): void {
      scrolling = undefined;
      send();
    }

    function onScroll(): void {
      clearTimeout(scrolling);
      scrolling = setTimeout(ended, STILL);
      send();
    }

    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    send();
    return () => {
      unobserve();
      clearTimeout(scrolling);
      document.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, []);
}

/** Choose a longer interval when drawing takes more than this share of the React thread. */
const TOO_MUCH = 0.25;
/** Choose a shorter interval when drawing would take less than this share at it. */
const LITTLE = 0.15;

/**
 * The frame interval that fits the measured `cost` of a frame, both in ms. `now` is the present interval, `least`
 * the shortest one allowed on this device.
 */
export function frameIntervalFor(
  cost: number,
  now: FrameInterval,
  least: FrameInterval,
): FrameInterval {
  const at = FRAME_INTERVALS.indexOf(now);
  const longer = FRAME_INTERVALS[at + 1];
  if (longer && cost > now * TOO_MUCH) return longer;
  const shorter = FRAME_INTERVALS[at - 1];
  if (shorter && shorter >= least && cost < shorter * LITTLE) return shorter;
  return now;
}

/** The shortest frame interval allowed on a device, by what the browser reports of it. */
export function shortestFrameInterval({
  deviceMemory = 8,
  hardwareConcurrency = 8,
}: {
  deviceMemory?: number;
  hardwareConcurrency?: number;
}): FrameInterval {
  return deviceMemory <= 2 || (deviceMemory <= 4 && hardwareConcurrency <= 2) ? 100 : FRAME_MS;
}
