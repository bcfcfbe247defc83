import type { Frame, GatewayEvent } from '#domain/gateway';
import type { Clock } from './outside';

/** A list is drawn at most 20 times a second: the eye sees no more, and 16 ms would cost three times as much. */
export const FRAME_MS = 50;

/** Adds what has changed since it was last asked, where anything has. */
export type FrameSource = (frame: Frame) => void;

/**
 * Coalesces what changes into the frames that are asked for. State is
 * last-value-wins, kept by its source; events are an ordered queue here.
 */
export interface Frames {
  add(source: FrameSource): void;
  /** A source has something. Costs nothing until a frame is asked for. */
  touch(): void;
  emit(event: GatewayEvent): void;
  /** Resolves once there is something to see. A second call supersedes the first, which gets an empty frame. */
  next(): Promise<Frame>;
  /** Nothing is drawn on a hidden page; what changes waits. */
  setVisible(visible: boolean): void;
}

export function createFrames(clock: Clock): Frames {
  const sources: FrameSource[] = [];
  let events: GatewayEvent[] = [];
  let deliver: ((frame: Frame) => void) | undefined;
  let dirty = false;
  let scheduled = false;
  let visible = true;
  let lastAt = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    if (!dirty || !deliver || !visible || scheduled) return;
    scheduled = true;
    // Even at once means: after all that came in the same message.
    const wait = lastAt + FRAME_MS - clock.now();
    clock.after(Math.min(FRAME_MS, Math.max(0, wait)), flush);
  }

  function flush(): void {
    scheduled = false;
    if (!deliver || !visible) return;
    dirty = false;
    const frame: Frame = {};
    for (const source of sources) source(frame);
    if (events.length > 0) {
      frame.events = events;
      events = [];
    }
    // What changed may have changed back, or have left the screen.
    if (Object.keys(frame).length === 0) return;
    lastAt = clock.now();
    const resolve = deliver;
    deliver = undefined;
    resolve(frame);
  }

  function touch(): void {
    dirty = true;
    schedule();
  }

  return {
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
    setVisible(next) {
      visible = next;
      schedule();
    },
  };
}

/** The buffers of a frame, to be handed over instead of copied. */
export function buffersOf(frame: Frame): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  if (frame.quotes) buffers.push(frame.quotes.buffer as ArrayBuffer);
  for (const { bars } of frame.candles ?? []) buffers.push(bars.buffer as ArrayBuffer);
  return buffers;
}
