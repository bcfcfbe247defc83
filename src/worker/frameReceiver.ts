import { batch, computed, signal } from '@preact/signals-core';
import {
  type ConnectionState,
  FRAMES_PER_ACK,
  type Frame,
  type FramePort,
  type WorkerEvent,
} from '#domain/worker/workerApi';
import { afterPaint } from '../ui/nextTask';
import { applyCandles } from './candles';
import { applyQuotes } from './quotes';
import { applyRequests } from './requests';
import { applyTrading } from './trading';
import { workerUnsaved } from './unsaved';

/** State of the connection: whether the figures on screen are current. */
export const connectionState = signal<ConnectionState>({
  state: 'connecting',
  marketOffset: undefined,
});

/** Whether the connection is proven: what is shown is current, and what is sent arrives. */
export const connectionLive = computed(() =>
  ['live', 'slow'].includes(connectionState.value.state),
);

/** Whether prices come every few seconds, over HTTP. */
export const slowPrices = computed(() => connectionState.value.state === 'slow');

/** Changes when the rows of the list or their order change. */
export const listRevision = signal(0);

/** Uploads in progress by id: the share that is sent, 0 to 1. */
export const uploads = signal<Readonly<Record<string, number>>>({});

type EventHandler = (event: WorkerEvent) => void;
const eventHandlers = new Set<EventHandler>();
/** Events that arrived before the first handler. */
const waiting: WorkerEvent[] = [];

/**
 * Calls `handler` with each event in order. The first handler also gets the events that came before
 * it. Returns the unsubscribe function.
 */
export function onEvent(handler: EventHandler): () => void {
  eventHandlers.add(handler);
  for (const event of waiting.splice(0)) handler(event);
  return () => eventHandlers.delete(handler);
}

type FrameObserver = (frame: Frame, began: number) => void;
const observers = new Set<FrameObserver>();

/**
 * Calls `observe` with each applied frame and when applying it began (`performance.now`). Returns
 * the unsubscribe function.
 */
export function observeFrames(observe: FrameObserver): () => void {
  observers.add(observe);
  return () => observers.delete(observe);
}

/** Wait at most this long for the first prices once the worker runs, ms: on a weak phone it takes longer until it does. */
const PATIENCE = 1500;
/** Wait at most this long in all, ms. */
const LONGEST_WAIT = 10_000;
/** The first frame of quotes may be of the list alone; wait this long for one of the socket, ms. */
const LIVE = 300;
/** A slow network has time for other files this long after the worker runs, ms; on a weak phone twice as long as it took until then. */
const SLOW = 500;
let shown: Promise<void> | undefined;
/** Resolves once the worker runs, or has failed. */
let running: Promise<void> = Promise.resolve();

/** Resolves once the first price is painted, or once the network has time for something else. */
export function firstPrice(): Promise<void> {
  return new Promise((resolve) => {
    void running.then(() => {
      setTimeout(resolve, Math.max(SLOW, Math.min(2 * performance.now(), PATIENCE)));
    });
    const stop = observeFrames(({ quotes }) => {
      if (!quotes) return;
      stop();
      afterPaint(resolve);
    });
  });
}

/**
 * Resolves once live prices are painted. Await it before loading anything that would delay them on
 * a slow phone.
 */
export function pricesShown(): Promise<void> {
  shown ??= new Promise<void>((resolve) => {
    setTimeout(resolve, LONGEST_WAIT);
    void running.then(() => setTimeout(resolve, PATIENCE));
    let frames = 0;
    const stop = observeFrames(({ quotes }) => {
      if (!quotes) return;
      frames += 1;
      if (frames === 1) setTimeout(resolve, LIVE);
      if (frames < 2) return;
      stop();
      afterPaint(resolve);
    });
  });
  return shown;
}

export function apply(frame: Frame): void {
  // Before texts: writing on a canvas lays the page out if one has changed.
  for (const candles of frame.candles ?? []) applyCandles(candles);
  batch(() => {
    if (frame.connection) connectionState.value = frame.connection;
    if (frame.listRevision !== undefined) listRevision.value = frame.listRevision;
    if (frame.quotes) applyQuotes(frame.quotes);
    applyTrading(frame);
    applyRequests(frame);
    if (frame.unsaved !== undefined) workerUnsaved.value = frame.unsaved;
    if (frame.uploads) uploads.value = frame.uploads;
  });
  for (const event of frame.events ?? []) {
    if (eventHandlers.size === 0) waiting.push(event);
    for (const handler of eventHandlers) handler(event);
  }
}

/**
 * Applies the worker's frames for the life of the page (architecture.md#a-tick) and acknowledges
 * them. The worker sends only a limited number ahead. `runs` resolves once it runs, or has failed.
 */
export function receiveFrames(port: FramePort<number, Frame>, runs = running): void {
  running = runs;
  let unacknowledged = 0;
  port.onmessage = ({ data: frame }) => {
    const began = performance.now();
    try {
      apply(frame);
      for (const observe of observers) observe(frame, began);
    } catch (error) {
      // A failing screen must not stop the prices of the others.
      reportError(error);
    }
    unacknowledged += 1;
    if (unacknowledged < FRAMES_PER_ACK) return;
    unacknowledged = 0;
    port.postMessage(FRAMES_PER_ACK);
  };
}
