import {
  FRAME_MS,
  FRAMES_AHEAD,
  type Frame,
  type FramePort,
  type GatewayEvent,
} from '#domain/gateway/gateway';
import type { Clock } from '../core/ports';

/** The selected instrument is drawn this many times as often as the list (D68). */
const SELECTED_RATE = 3;

/** Adds what has changed since it was last asked, where anything has. */
type FrameSource = (frame: Frame) => void;

/**
 * Coalesces what changes into the frames that are asked for. State is
 * last-value-wins, kept by its source; events are an ordered queue here.
 */
export interface Frames {
  /** `selected`: what of it goes into the frames between those of the list. */
  add(source: FrameSource, selected?: FrameSource): void;
  /** A source has something to be seen at once. Costs nothing until a frame is asked for. */
  touch(): void;
  /** A price has moved: what else moves within a pace of the list goes with it. Each frame costs as much as a dozen quotes. */
  gather(): void;
  /** A source has something that need not wait for the list. */
  touchSelected(): void;
  emit(event: GatewayEvent): void;
  /** Resolves once there is something to see. A second call supersedes the first, which gets an empty frame. */
  next(): Promise<Frame>;
  /** Nothing is drawn on a hidden page; what changes waits. */
  setVisible(visible: boolean): void;
  /** The least time between two frames of the list, in ms. */
  setPace(pace: number): void;
}

export function createFrames(clock: Clock): Frames {
  const sources: FrameSource[] = [];
  const selectedSources: FrameSource[] = [];
  let events: GatewayEvent[] = [];
  let deliver: ((frame: Frame) => void) | undefined;
  let touched = false;
  /** When the first price moved that has not been sent. */
  let gatheredAt = Number.POSITIVE_INFINITY;
  let selectedDirty = false;
  let visible = true;
  let pace: number = FRAME_MS;
  /** When the last frame of the list went out, and the last of any kind. */
  let listAt = Number.NEGATIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let scheduledFor = Number.POSITIVE_INFINITY;
  let cancel = () => {};

  function listDue(): number {
    return Math.min(touched ? listAt + pace : Number.POSITIVE_INFINITY, gatheredAt + pace);
  }

  function schedule(): void {
    if (!deliver || !visible) return;
    const now = clock.now();
    // A clock that was set back must not stop the frames.
    listAt = Math.min(listAt, now);
    lastAt = Math.min(lastAt, now);
    if (gatheredAt !== Number.POSITIVE_INFINITY) gatheredAt = Math.min(gatheredAt, now);
    const due = Math.min(
      listDue(),
      selectedDirty ? lastAt + pace / SELECTED_RATE : Number.POSITIVE_INFINITY,
    );
    // At once is earlier than anything, and still after all that came in the same message.
    const at = Math.max(due, now);
    if (at >= scheduledFor || due === Number.POSITIVE_INFINITY) return;
    cancel();
    scheduledFor = at;
    cancel = clock.after(at - now, flush);
  }

  function unschedule(): void {
    cancel();
    scheduledFor = Number.POSITIVE_INFINITY;
  }

  function flush(): void {
    scheduledFor = Number.POSITIVE_INFINITY;
    if (!deliver || !visible) return;
    const now = clock.now();
    const list = !selectedDirty || now >= listDue();
    const frame: Frame = {};
    for (const source of list ? sources : selectedSources) source(frame);
    selectedDirty = false;
    if (list) {
      touched = false;
      gatheredAt = Number.POSITIVE_INFINITY;
      if (events.length > 0) {
        frame.events = events;
        events = [];
      }
    }
    // What changed may have changed back, or have left the screen.
    if (Object.keys(frame).length === 0) {
      schedule();
      return;
    }
    lastAt = now;
    if (list) listAt = now;
    const resolve = deliver;
    deliver = undefined;
    resolve(frame);
  }

  function touch(): void {
    touched = true;
    schedule();
  }

  return {
    add(source, selected) {
      sources.push(source);
      if (selected) selectedSources.push(selected);
    },
    touch,
    gather() {
      if (gatheredAt !== Number.POSITIVE_INFINITY) return;
      gatheredAt = clock.now();
      schedule();
    },
    touchSelected() {
      selectedDirty = true;
      schedule();
    },
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
    setPace(next) {
      pace = next;
      unschedule();
      schedule();
    },
  };
}

/** Sends frames as they come, while the page keeps up with painting them. */
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

/** The buffers of a frame, to be handed over instead of copied. */
function buffersOf(frame: Frame): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  if (frame.quotes) buffers.push(frame.quotes.buffer as ArrayBuffer);
  for (const { bars } of frame.candles ?? []) buffers.push(bars.buffer as ArrayBuffer);
  return buffers;
}
