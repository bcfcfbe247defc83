import type { ClientMessage, SubscribeMessage, Topic } from '#domain/api/socket';
import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/ports';

/** Unsubscribe this long after the last reference is released, ms: a screen that is left and entered again causes no traffic. */
export const LINGER_MS = toDurationMs(3000);

/** Limits a subscription to some codes (protocol.md#quote-filters). */
export interface QuoteFilter {
  codes?: string[];
  interval?: number;
  /** Asks for compact rows; only where the server lists the feature (protocol.md#compact-quotes). */
  compact?: 1;
}

/** Applies to the first reference of a topic. */
interface RetainOptions {
  quoteFilter?: QuoteFilter | undefined;
  /** Called when the topic was unsubscribed. */
  ended?: () => void;
}

/** Subscriptions with a reference count. */
export interface Topics {
  /** Subscribes with the first reference. Returns a function that releases the reference, once. */
  retain(topic: Topic, options?: RetainOptions): () => void;
  /** Narrows a retained topic; undefined widens it to all codes. Sent only if it changes something. */
  setQuoteFilter(topic: Topic, quoteFilter: QuoteFilter | undefined): void;
  /** All subscriptions as they are now. */
  subscriptions(): SubscribeMessage[];
  /** Subscribes all topics again, after a reconnect. */
  resubscribe(): void;
  /** In the background no chart moves: bars are unsubscribed, and subscribed again after it. */
  setBackground(isBackground: boolean): void;
}

interface Entry extends RetainOptions {
  references: number;
  cancelLinger: () => void;
}

export function createTopics(clock: Clock, send: (message: ClientMessage) => boolean): Topics {
  const entries = new Map<Topic, Entry>();
  let isBackground = false;
  const isOfChart = (topic: Topic) => topic.startsWith('KLINE.');

  const isWanted = (topic: Topic) => !isBackground || !isOfChart(topic);
  const subscription = (topic: Topic, { quoteFilter }: Entry): SubscribeMessage =>
    quoteFilter ? { type: 'sub', topic, ...quoteFilter } : { type: 'sub', topic };

  function subscribe(topic: Topic, entry: Entry): void {
    if (isWanted(topic)) send(subscription(topic, entry));
  }

  function release(topic: Topic, entry: Entry): void {
    entry.references -= 1;
    if (entry.references > 0) return;
    entry.cancelLinger = clock.after(LINGER_MS, () => {
      entries.delete(topic);
      send({ type: 'unsub', topic });
      entry.ended?.();
    });
  }

  return {
    retain(topic, options = {}) {
      let entry = entries.get(topic);
      if (entry) {
        entry.cancelLinger();
        entry.references += 1;
      } else {
        entry = { quoteFilter: undefined, ...options, references: 1, cancelLinger: () => {} };
        entries.set(topic, entry);
        subscribe(topic, entry);
      }
      const retained = entry;
      let held = true;
      return () => {
        if (held) release(topic, retained);
        held = false;
      };
    },
    setQuoteFilter(topic, quoteFilter) {
      const entry = entries.get(topic);
      if (!entry || entry.quoteFilter === quoteFilter) return;
      entry.quoteFilter = quoteFilter;
      subscribe(topic, entry);
    },
    setBackground(next) {
      isBackground = next;
      for (const [topic, entry] of entries) {
        if (!isOfChart(topic)) continue;
        if (next) send({ type: 'unsub', topic });
        else subscribe(topic, entry);
      }
    },
    subscriptions: () =>
      [...entries].flatMap(([topic, entry]) =>
        isWanted(topic) ? [subscription(topic, entry)] : [],
      ),
    resubscribe() {
      for (const [topic, entry] of entries) subscribe(topic, entry);
    },
  };
}
