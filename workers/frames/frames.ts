import { toDurationMs } from '#domain/core/time';
import {
  FRAME_MS,
  FRAMES_AHEAD,
  type Frame,
  type FramePort,
  type WorkerEvent,
} from '#domain/worker/workerApi';
import type { Clock } from '../core/ports';

/** Adds to the frame what has changed since the last one, if anything has. */
type FrameSource = (frame: Frame) => void;

/** One field of the frame, read when a frame is made after the field was marked as changed. */
export interface FrameField {
  /** The field has changed: the next frame brings it. */
  touch(): void;
}

/** A field that counts changes: the page asks again for what it shows when the count is another one. */
export interface Revision {
  readonly current: number;
  bump(): void;
}

/** The frames of a hidden page. */
interface HiddenFrames {
  /** When the next one is due; Infinity: none is. `sentAt`: when the last frame was sent. */
  due(events: readonly WorkerEvent[], sentAt: number): number;
  /** Fills a frame. Returns the events that wait until the page is seen. */
  take(frame: Frame, events: WorkerEvent[]): WorkerEvent[];
}

/**
 * Coalesces changes into the frames that are requested (architecture.md#frames). State is
 * last-value-wins and kept by its source; events are an ordered queue kept here.
 */
export interface Frames {
  /**
   * Registers a field. `read` returns undefined where there is nothing to send after all.
   * `inFirstFrame`: sent with the first frame even if it has not changed.
   */
  field<K extends keyof Frame>(
    name: K,
    read: () => Frame[K] | undefined,
    inFirstFrame?: boolean,
  ): FrameField;
  revision(name: 'listRevision' | 'ordersRevision'): Revision;
  /** Registers what keeps its own record of changes. */
  add(source: FrameSource): void;
  /**
   * A source has changed. A frame is made at once where the last one is older than an interval, and
   * else at that interval's end, because each frame costs as much as a dozen quotes.
   */
  touch(): void;
  emit(event: WorkerEvent): void;
  /** Resolves once something has changed. A second call supersedes the first, which gets an empty frame. */
  next(): Promise<Frame>;
  /** Sets what reaches a hidden page; until then nothing does. */
  setHidden(frames: HiddenFrames): void;
  /** A hidden page gets what `setHidden` says; other changes wait. */
  setVisible(visible: boolean): void;
  /** Sets the least time between two frames, ms. */
  setFrameInterval(frameInterval: number): void;
}

export function createFrames(clock: Clock): Frames {
  let hidden: HiddenFrames | undefined;
  const sources: FrameSource[] = [];
  let events: WorkerEvent[] = [];
  let deliver: ((frame: Frame) => void) | undefined;
  let changed = false;
  let visible = true;
  let frameInterval: number = FRAME_MS;
  /** When the last frame was due. Where its timer was late the next one is not: intervals are a grid. */
  let lastDue = Number.NEGATIVE_INFINITY;
  let scheduledFor = Number.POSITIVE_INFINITY;
  let cancel = () => {};

  function dueAt(): number {
    if (!visible) return hidden?.due(events, lastDue) ?? Number.POSITIVE_INFINITY;
    return changed ? lastDue + frameInterval : Number.POSITIVE_INFINITY;
  }

  function schedule(): void {
    if (!deliver) return;
    const now = clock.now();
    const due = dueAt();
    // Even a frame that is due immediately waits for the rest of the same message.
    const at = Math.max(due, now);
    if (at >= scheduledFor || due === Number.POSITIVE_INFINITY) return;
    cancel();
    scheduledFor = at;
    cancel = clock.after(toDurationMs(at - now), flush);
  }

  function unschedule(): void {
    cancel();
    scheduledFor = Number.POSITIVE_INFINITY;
  }

  function flush(): void {
    const due = scheduledFor;
    scheduledFor = Number.POSITIVE_INFINITY;
    if (!deliver) return;
    const resolve = deliver;
    // A source may change another: that is a change of the next frame.
    deliver = undefined;
    const frame: Frame = {};
    if (visible) {
      changed = false;
      for (const source of sources) source(frame);
      if (events.length > 0) {
        frame.events = events;
        events = [];
      }
    } else if (hidden) events = hidden.take(frame, events);
    // A change may have been undone, or have left the screen.
    if (Object.keys(frame).length === 0) {
      deliver = resolve;
      schedule();
      return;
    }
    lastDue = due;
    resolve(frame);
  }

  function touch(): void {
    // Each quote comes here: what is scheduled need not be scheduled again.
    if (changed && visible) return;
    changed = true;
    schedule();
  }

  function field<K extends keyof Frame>(
    name: K,
    read: () => Frame[K] | undefined,
    inFirstFrame = false,
  ): FrameField {
    let fieldChanged = inFirstFrame;
    sources.push((frame) => {
      if (!fieldChanged) return;
      fieldChanged = false;
      const value = read();
      if (value !== undefined) frame[name] = value;
    });
    return {
      touch() {
        fieldChanged = true;
        touch();
      },
    };
  }

  return {
    field,
    revision(name) {
      let current = 0;
      const revised = field(name, () => current);
      return {
        get current() {
          return current;
        },
        bump() {
          current += 1;
          revised.touch();
        },
      };
    },
    add(source) {
      sources.push(source);
    },
    touch,
    emit(event) {
      events.push(event);
      touch();
    },
    next() {
      deliver?.({});
      return new Promise((resolve) => {
        deliver = resolve;
        schedule();
      });
    },
    setHidden(frames) {
      hidden = frames;
    },
    setVisible(next) {
      visible = next;
      unschedule();
      schedule();
    },
    setFrameInterval(next) {
      frameInterval = next;
      unschedule();
      schedule();
    },
  };
}

/** Sends frames for as long as the worker lives, at most FRAMES_AHEAD ahead of what the page has applied. */
export async function sendFrames(
  next: () => Promise<Frame>,
  port: FramePort<Frame, number>,
): Promise<never> {
  let ahead = 0;
  let painted = () => {};
  port.onmessage = ({ data }) => {
    ahead -= data;
    painted();
  };
  for (;;) {
    const frame = await next();
    port.postMessage(frame, buffersOf(frame));
    ahead += 1;
    while (ahead >= FRAMES_AHEAD) {
      await new Promise<void>((resolve) => {
        painted = resolve;
      });
    }
  }
}

/** The buffers of a frame, which are transferred instead of copied. */
export function buffersOf(frame: Frame): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  for (const numbers of [frame.quotes, frame.columnValues])
    if (numbers) buffers.push(numbers.buffer as ArrayBuffer);
  for (const { bars, indicators } of frame.candles ?? []) {
    buffers.push(bars.buffer as ArrayBuffer);
    for (const { values } of indicators ?? []) buffers.push(values.buffer as ArrayBuffer);
  }
  return buffers;
}
