declare global {
  interface Window {
    benchLong?: number[];
    benchDelays?: number[];
    benchEvents?: Map<number, number>;
    benchScrolls?: number;
  }
}

/**
 * Observes long animation frames, slow events and input delays; cheap enough during a measurement. `scripted`: keys come from a
 * script, and are no interactions to the browser. Returns the function that ends it. The benchmark sends this to other pages as
 * text, so it uses nothing from outside itself.
 */
export function watchSmoothness(scripted = false): () => void {
  const long: number[] = [];
  /** The longest event of each interaction: a tap consists of a dozen. */
  const events = new Map<number, number>();
  const delays: number[] = [];
  window.benchLong = long;
  window.benchEvents = events;
  window.benchDelays = delays;
  let scriptedKeys = 0;
  const frames = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) long.push(duration);
  });
  frames.observe({ type: 'long-animation-frame' });
  const slow = new PerformanceObserver((list) => {
    for (const { interactionId, name, duration } of list.getEntries() as PerformanceEventTiming[]) {
      if (scripted && name === 'input') scriptedKeys -= 1;
      const id = interactionId || (scripted && name === 'input' ? scriptedKeys : 0);
      if (id !== 0) events.set(id, Math.max(duration, events.get(id) ?? 0));
    }
  });
  slow.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  const note = (event: Event) => {
    delays.push(Math.max(0, performance.now() - event.timeStamp));
  };
  window.benchScrolls = 0;
  const scrolled = () => {
    window.benchScrolls = (window.benchScrolls ?? 0) + 1;
  };
  const ending = new AbortController();
  const options = { capture: true, passive: true, signal: ending.signal };
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, note, options);
  addEventListener('scroll', scrolled, options);
  return () => {
    frames.disconnect();
    slow.disconnect();
    ending.abort();
  };
}
