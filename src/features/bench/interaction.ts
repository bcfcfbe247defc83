/** A fling's speed at its beginning, px a ms, and the time in which it comes to rest. */
const FLING = 4;
const FLING_MS = 1500;
/** Between two keys, as `npm run bench` types. */
const KEY_MS = 250;
/** Browsers tell of no event that took less. */
const LEAST_TOLD = 16;

/** Scrolls as a finger that flings to and fro. Returns what ends it. */
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

/** What keys took, in ms, since it was last taken. */
interface KeyTimes {
  /** From when a key was due until the page got to it. */
  delays: number[];
  /** From a key to the frame that shows it, 16 where it was less; undefined where the browser can't tell. */
  durations: number[] | undefined;
}

export interface Typing {
  take(): KeyTimes;
  end(): void;
}

/** Leaves nothing of the screen in reach but one field of it: no key of the user's may order anything. */
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
 * Types a digit and deletes it, again and again. By the browser's own editing,
 * so that the events are real ones, which it times (Event Timing).
 */
export function type(field: HTMLInputElement): Typing {
  let times: KeyTimes = { delays: [], durations: [] };
  let due = performance.now() + KEY_MS;
  let timer: ReturnType<typeof setTimeout>;
  let digit = true;
  const isTold = PerformanceObserver.supportedEntryTypes.includes('event');

  function record(entries: PerformanceEntryList): void {
    for (const { name, duration } of entries)
      if (name === 'input') times.durations?.push(Math.max(LEAST_TOLD, duration));
  }

  const observer = new PerformanceObserver((list) => record(list.getEntries()));
  if (isTold)
    observer.observe({ type: 'event', durationThreshold: LEAST_TOLD } as PerformanceObserverInit);

  function key(): void {
    times.delays.push(performance.now() - due);
    if (document.activeElement !== field) field.focus({ preventScroll: true });
    // Deprecated for editors; of the ways to edit a field as a user does, the one that all browsers have.
    document.execCommand(digit ? 'insertText' : 'delete', false, '7');
    digit = !digit;
    next();
  }

  function next(): void {
    due = Math.max(due + KEY_MS, performance.now());
    timer = setTimeout(key, due - performance.now());
  }

  openOnly(field);
  // A keyboard that comes up would take the place of what is measured.
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
        durations: isTold ? [...durations, ...Array<number>(quick).fill(LEAST_TOLD)] : undefined,
      };
    },
    end() {
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}
