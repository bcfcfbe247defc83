/** Start speed of a fling, px/ms, and its duration, ms. */
const FLING = 4;
const FLING_MS = 1500;
/** Interval between two keys, ms, as in `npm run bench`. */
const KEY_MS = 250;
/** The shortest duration that browsers report for an event, ms. */
const SHORTEST_EVENT = 16;

/** Scrolls to and fro like a finger that flings. Returns the function that stops it. */
export function fling(scroller: Element): () => void {
  let ended = false;
  let began = performance.now();
  let last = began;
  let direction = 1;
  function onFrame(now: number): void {
    if (ended) return;
    const rest = 1 - (now - began) / FLING_MS;
    scroller.scrollTop += direction * FLING * Math.max(0, rest) * (now - last);
    last = now;
    if (rest <= 0) {
      began = now;
      const atEnd = scroller.scrollTop + scroller.clientHeight * 2 > scroller.scrollHeight;
      if (atEnd || (direction < 0 && scroller.scrollTop === 0)) direction = -direction;
    }
    requestAnimationFrame(onFrame);
  }
  requestAnimationFrame(onFrame);
  return () => {
    ended = true;
  };
}

/** Timings of the keys since the last call of `take`, ms. */
interface KeyTimes {
  /** From the time when a key was due until the page handled it. */
  delays: number[];
  /**
   * From a key to the frame that shows it, at least 16; undefined where the browser doesn't measure
   * it.
   */
  durations: number[] | undefined;
}

export interface Typing {
  take(): KeyTimes;
  end(): void;
}

/** Makes everything but one field inert, so that the user's keys can't place an order. */
function openOnly(field: Element): void {
  for (let inner = field; inner.parentElement; inner = inner.parentElement) {
    if ((inner as HTMLElement).inert) {
      (inner as HTMLElement).inert = false;
      return;
    }
    for (const other of inner.parentElement.children)
      if (other !== inner) (other as HTMLElement).inert = true;
  }
}

/**
 * Types a digit and deletes it, repeatedly. Uses the browser's editing commands, because the
 * browser measures only real events (Event Timing).
 */
export function type(field: HTMLInputElement): Typing {
  let times: KeyTimes = { delays: [], durations: [] };
  let due = performance.now() + KEY_MS;
  let timer: ReturnType<typeof setTimeout>;
  let digit = true;
  const isMeasured = PerformanceObserver.supportedEntryTypes.includes('event');

  function record(entries: PerformanceEntryList): void {
    for (const { name, duration } of entries)
      if (name === 'input') times.durations?.push(Math.max(SHORTEST_EVENT, duration));
  }

  const observer = new PerformanceObserver((list) => record(list.getEntries()));
  if (isMeasured)
    observer.observe({
      type: 'event',
      durationThreshold: SHORTEST_EVENT,
    } as PerformanceObserverInit);

  function key(): void {
    times.delays.push(performance.now() - due);
    if (document.activeElement !== field) field.focus({ preventScroll: true });
    // Deprecated, but the only editing command that all browsers support.
    document.execCommand(digit ? 'insertText' : 'delete', false, '7');
    digit = !digit;
    next();
  }

  function next(): void {
    due = Math.max(due + KEY_MS, performance.now());
    timer = setTimeout(key, due - performance.now());
  }

  openOnly(field);
  // Prevents the on-screen keyboard, which would cover the screen under test.
  field.inputMode = 'none';
  field.focus({ preventScroll: true });
  next();

  return {
    take() {
      record(observer.takeRecords());
      const { delays, durations = [] } = times;
      times = { delays: [], durations: [] };
      const quick = Math.max(0, delays.length - durations.length);
      return {
        delays,
        durations: isMeasured
          ? [...durations, ...Array<number>(quick).fill(SHORTEST_EVENT)]
          : undefined,
      };
    },
    end() {
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}
