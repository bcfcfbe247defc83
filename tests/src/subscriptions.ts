import { Signal } from '@preact/signals-core';
import { onTestFinished, vi } from 'vitest';
import { candlesName } from '#domain/market/candles';
import type { Watch, WorkerApi } from '#domain/worker/workerApi';
import type { scriptWorkerApi } from './scriptedWorkerApi';

/**
 * Counts, until the test ends, what whoever subscribes has to end: readers of signals, listeners of what outlives a screen, observers of
 * sizes and of changes, and timers. The function that it returns gives the present numbers.
 */
export function countSubscriptions(): () => Record<string, number> {
  const readers = new Set<object>();
  const listeners = new Map<string, number>();
  const observed = new Map<object, Set<Node>>();

  // The library keeps these two names for those who extend it.
  const signals = Signal.prototype as unknown as Record<'S' | 'U', (node: object) => void>;
  replace(signals, 'S', function (subscribe, node) {
    readers.add(node);
    subscribe.call(this, node);
  });
  replace(signals, 'U', function (unsubscribe, node) {
    readers.delete(node);
    unsubscribe.call(this, node);
  });

  const count = (target: unknown, type: string, by: number) => {
    // Elements and requests take their listeners along.
    const stays = !(target instanceof Element || target instanceof AbortSignal);
    if (stays || target === document.documentElement || target === document.body)
      listeners.set(type, (listeners.get(type) ?? 0) + by);
  };
  const known = new WeakMap<object, Map<string, Set<unknown>>>();
  const listenersOf = (target: object, name: string) => {
    const all = known.get(target) ?? new Map<string, Set<unknown>>();
    known.set(target, all);
    const those = all.get(name) ?? new Set();
    all.set(name, those);
    return those;
  };
  const capture = (options: unknown) =>
    typeof options === 'object' && options !== null
      ? (options as AddEventListenerOptions).capture === true
      : options === true;
  const remove = (target: object, type: string, listener: unknown, options: unknown) => {
    if (listenersOf(target, `${type} ${capture(options)}`).delete(listener))
      count(target, type, -1);
  };
  // happy-dom's own prototype is not that of the global EventTarget.
  const owners = [document, matchMedia('all'), window].map(ownerOfListeners);
  for (const target of new Set(owners)) {
    replace(target, 'addEventListener', function (add, type, listener, options) {
      const { once, signal } = (typeof options === 'object' && options) || {};
      const those = listenersOf(this ?? window, `${type} ${capture(options)}`);
      if (!once && !signal?.aborted && listener && !those.has(listener)) {
        those.add(listener);
        count(this ?? window, type, 1);
        signal?.addEventListener('abort', () => remove(this ?? window, type, listener, options), {
          once: true,
        });
      }
      add.call(this, type, listener, options);
    });
    replace(target, 'removeEventListener', function (end, type, listener, options) {
      remove(this ?? window, type, listener, options);
      end.call(this, type, listener, options);
    });
  }

  for (const { prototype } of [ResizeObserver, MutationObserver, IntersectionObserver]) {
    const observer = prototype as ResizeObserver;
    replace(observer, 'observe', function (observe, target, ...more) {
      observed.set(this, (observed.get(this) ?? new Set()).add(target));
      observe.call(this, target, ...more);
    });
    replace(observer, 'disconnect', function (disconnect) {
      observed.delete(this);
      disconnect.call(this);
    });
    // Observers of changes have none.
    if (!('unobserve' in prototype)) continue;
    replace(observer, 'unobserve', function (unobserve, target) {
      observed.get(this)?.delete(target);
      unobserve.call(this, target);
    });
  }

  return () => ({
    readers: readers.size,
    observed: [...observed.values()].reduce((sum, { size }) => sum + size, 0),
    timers: vi.getTimerCount(),
    ...Object.fromEntries(listeners),
  });
}

/** Where an object has the method that adds a listener from. */
function ownerOfListeners(target: EventTarget): EventTarget {
  return Object.hasOwn(target, 'addEventListener')
    ? target
    : ownerOfListeners(Object.getPrototypeOf(target));
}

/** Replaces a method until the test ends; the replacement gets the method first. */
function replace<T extends object, K extends keyof T>(
  target: T,
  name: K,
  by: T[K] extends (...args: infer A) => infer R
    ? (this: T, method: (...args: A) => R, ...args: A) => R
    : never,
): void {
  const method = target[name] as (...args: unknown[]) => unknown;
  const own = Object.hasOwn(target, name);
  target[name] = function (this: T, ...args: unknown[]) {
    return (by as (...all: unknown[]) => unknown).call(this, method, ...args);
  } as T[K];
  onTestFinished(() => {
    if (own) target[name] = method as T[K];
    else delete target[name];
  });
}

/** How much the worker was told to watch and not to leave since. */
export function watchedBy({ calls }: ReturnType<typeof scriptWorkerApi>): Record<string, number> {
  const held: Record<string, Map<unknown, number>> = {};
  const count = (
    of: string,
    { add, remove }: { add: readonly unknown[]; remove: readonly unknown[] },
  ) => {
    held[of] ??= new Map();
    for (const key of add) held[of].set(key, (held[of].get(key) ?? 0) + 1);
    for (const key of remove) held[of].set(key, (held[of].get(key) ?? 0) - 1);
  };
  const indicators = new Map<string, number>();
  for (const { method, args } of calls as { method: keyof WorkerApi; args: [never] }[]) {
    if (method === 'watchTopsOfBook' || method === 'watchOrders') count(method, args[0]);
    if (method === 'watchColumnValues') {
      const { add, remove }: { add: { id: number }[]; remove: number[] } = args[0];
      count(method, { add: add.map(({ id }) => id), remove });
    }
    if (method !== 'watch') continue;
    const { instruments, candles, indicators: wanted }: Watch = args[0];
    if (instruments) count('instruments', instruments);
    if (candles) {
      const { add, remove } = candles;
      count('candles', { add: add.map(candlesName), remove: remove.map(candlesName) });
    }
    if (wanted) indicators.set(candlesName(wanted.key), wanted.specs.length);
  }
  const sum = (numbers: Map<unknown, number>) =>
    [...numbers.values()].reduce((all, number) => all + number, 0);
  return {
    ...Object.fromEntries(Object.entries(held).map(([of, numbers]) => [of, sum(numbers)])),
    indicators: sum(indicators),
  };
}
