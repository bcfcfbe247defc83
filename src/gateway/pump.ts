import { batch, signal } from '@preact/signals-core';
import {
  FRAMES_PER_ACK,
  type Frame,
  type FramePort,
  type GatewayEvent,
  type Link,
} from '#domain/gateway/gateway';
import { applyCandles } from './candles';
import { applyQuotes } from './quotes';
import { applyTrading } from './trading';

/** How true the figures on screen are. */
export const link = signal<Link>({ state: 'connecting', marketOffset: undefined });

/** Changes when the list's rows or their order did. */
export const listRevision = signal(0);

/** Uploads under way, by their id: the share that is sent, 0 to 1. */
export const uploads = signal<Readonly<Record<string, number>>>({});

type EventHandler = (event: GatewayEvent) => void;
const eventHandlers = new Set<EventHandler>();
/** What came before anybody could hear it. */
const waiting: GatewayEvent[] = [];

/** Calls `handler` with each event, in order; the first one also with those that came before it. Returns what ends it. */
export function onEvent(handler: EventHandler): () => void {
  eventHandlers.add(handler);
  for (const event of waiting.splice(0)) handler(event);
  return () => eventHandlers.delete(handler);
}

type FrameObserver = (frame: Frame, began: number) => void;
const observers = new Set<FrameObserver>();

/** Tells `observe` of each frame that was applied, and when that began (`performance.now`). Returns what ends it. */
export function observeFrames(observe: FrameObserver): () => void {
  observers.add(observe);
  return () => observers.delete(observe);
}

/** What waits for prices waits so long where none come, ms. */
const PATIENCE = 1500;
let shown: Promise<void> | undefined;

/** Resolves once the first prices are drawn: what can wait must not make them late on a slow phone. */
export function pricesShown(): Promise<void> {
  shown ??= new Promise((resolve) => {
    setTimeout(resolve, PATIENCE);
    const stop = observeFrames(({ quotes }) => {
      if (!quotes) return;
      stop();
      resolve();
    });
  });
  return shown;
}

export function apply(frame: Frame): void {
  batch(() => {
    if (frame.link) link.value = frame.link;
    if (frame.listRevision !== undefined) listRevision.value = frame.listRevision;
    if (frame.quotes) applyQuotes(frame.quotes);
    applyTrading(frame);
    if (frame.uploads) uploads.value = frame.uploads;
  });
  for (const candles of frame.candles ?? []) applyCandles(candles);
  for (const event of frame.events ?? []) {
    if (eventHandlers.size === 0) waiting.push(event);
    for (const handler of eventHandlers) handler(event);
  }
}

/**
 * Applies frames for as long as the page lives (architecture.md#a-tick), and
 * tells that they are: the worker is only so many ahead.
 */
export function pump(port: FramePort<number, Frame>): void {
  let unacknowledged = 0;
  port.onmessage = ({ data: frame }) => {
    const began = performance.now();
    try {
      apply(frame);
      for (const observe of observers) observe(frame, began);
    } catch (error) {
      // A screen that fails must not stop the prices of all others.
      reportError(error);
    }
    unacknowledged += 1;
    if (unacknowledged < FRAMES_PER_ACK) return;
    unacknowledged = 0;
    port.postMessage(FRAMES_PER_ACK);
  };
}
