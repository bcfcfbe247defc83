import { useEffect } from 'react';
import { measureFrameCost } from '../worker/frameCost';
import { currentFrameInterval, setCurrentFrameInterval } from '../worker/frameInterval';
import { observeFrames } from '../worker/frameReceiver';
import { workerApi } from '../worker/workerApi';
import {
  FRAME_INTERVALS,
  type FrameInterval,
  frameIntervalFor,
  shortestFrameInterval,
} from './frameInterval';

/** Measure one frame in this many. */
const SAMPLED = 16;
/** Weight of a new measurement in the moving average. */
const WEIGHT = 0.3;
/** Scrolling has ended when no scroll event came for this long, ms. */
const STILL = 150;
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
