import { useEffect } from 'react';
import { gateway } from '../gateway/client';
import { notePace } from '../gateway/pace';
import { observeFrames } from '../gateway/pump';
import { leastPace, type Pace, paceFor } from './cadence';

/** One frame of so many is measured. */
const SAMPLED = 8;
/** Weight of a new measurement. */
const WEIGHT = 0.2;
/** Scrolling has ended when nothing scrolled for this long. */
const STILL = 150;
/** While the finger scrolls, its frames come before those of prices. */
const SCROLLING = 2;
const SLOWEST = 200;

/** Calls `then` after the frame whose callbacks run now was painted. */
function afterPaint(then: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    then();
  };
  port2.postMessage(undefined);
}

/** Has the list come as often as this device can draw it, and more rarely while something scrolls (D68). */
export function useCadence(): void {
  useEffect(() => {
    const least = leastPace(navigator);
    let pace: Pace = least;
    let cost = 0;
    let frames = 0;
    let scrolling: ReturnType<typeof setTimeout> | undefined;
    let sent = 50;

    function send(): void {
      const next = scrolling === undefined ? pace : Math.min(SLOWEST, pace * SCROLLING);
      if (next === sent) return;
      sent = next;
      notePace(next);
      void gateway.setPace(next);
    }

    /** Script, style, layout and paint of one frame, as far as this thread does them. */
    const unobserve = observeFrames((_, began) => {
      frames += 1;
      if (frames % SAMPLED > 0) return;
      const script = performance.now() - began;
      requestAnimationFrame(() => {
        const drawn = performance.now();
        afterPaint(() => {
          cost += (script + performance.now() - drawn - cost) * WEIGHT;
          pace = paceFor(cost, pace, least);
          send();
        });
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
