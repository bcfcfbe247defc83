import { LINGER_MS, type Narrowing, type Topics } from '../connection/topics';
import type { Clock } from '../core/ports';
import type { Quotes, Slot } from './quotes';

/** Up to this many instruments all are asked for: cheaper than telling the server of each scroll (D34). */
const MOST_UNNARROWED = 100;
/** While scrolling a change of what is in sight is sent at most this often. */
const NARROW_MS = 250;
/** With the data saver on, a quote at most this often. */
const SAVER_INTERVAL_MS = 1000;
/** How long a `sub` may be on its way, and the server has to send the present state; it need not (protocol.md). */
const CONFIRM_MS = 1000;

export interface FollowingOptions {
  clock: Clock;
  topics: Topics;
  quotes: Quotes;
  codeOf: (id: number) => string | undefined;
  /** Instruments that are listed. */
  listed: () => number;
  /** Quotes in sight may have changed before they were subscribed: fetch them. */
  unconfirmed: () => void;
}

/** Keeps DAY_MARKET subscribed for what somebody needs, narrowed where that saves something. */
export interface Following {
  /** Somebody needs the quotes of this instrument. Returns what gives the reference back, once. */
  retain(id: number): () => void;
  setSaver(saver: boolean): void;
  /** The list has changed: what is followed may have another code, or all may have become too many. */
  listChanged(): void;
  /** Subscribed anew, after a reconnect. */
  resubscribed(): void;
  /**
   * Which subscription stands. Undefined while the last `sub` may be on its way: an
   * answer that overtook it misses what came between, and nothing tells of that later.
   */
  readonly standing: number | undefined;
}

const TOPIC = 'DAY_MARKET';

export function createFollowing(options: FollowingOptions): Following {
  const { clock, topics, quotes } = options;
  const references = new Map<number, number>();
  /** Given back a moment ago; whoever scrolls back finds them followed still. */
  const lingering = new Map<number, () => void>();
  let saver = false;
  let releaseTopic: (() => void) | undefined;
  let sent: string | undefined;
  let followed: Slot[] = [];
  let revision = 0;
  let standing: number | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let scheduled = false;
  let cancelConfirm = () => {};

  function narrowing(): Narrowing | undefined {
    if (options.listed() <= MOST_UNNARROWED && !saver) return undefined;
    const codes: string[] = [];
    for (const ids of [references.keys(), lingering.keys()]) {
      for (const id of ids) {
        const code = options.codeOf(id);
        if (code !== undefined) codes.push(code);
      }
    }
    return saver ? { codes, interval: SAVER_INTERVAL_MS } : { codes };
  }

  /** Sends soon, with all that changes at the same moment or, just after a change, within the quarter second. */
  function schedule(): void {
    const wait = Math.min(NARROW_MS, Math.max(0, sentAt + NARROW_MS - clock.now()));
    if (!scheduled) clock.after(wait, update);
    scheduled = true;
  }

  function update(): void {
    scheduled = false;
    if (options.listed() === 0) return;
    if (references.size === 0) {
      releaseTopic?.();
      releaseTopic = undefined;
      return;
    }
    const next = narrowing();
    const key = next ? JSON.stringify([next.interval, [...next.codes].sort()]) : 'all';
    const changed = key !== sent;
    sent = key;
    if (changed) follow(next);
    releaseTopic ??= topics.retain(TOPIC, { narrowing: next, ended });
    if (!changed) return;
    topics.narrow(TOPIC, next);
    sentAt = clock.now();
    subscribed();
  }

  function follow(narrowed: Narrowing | undefined): void {
    const next = new Set<Slot>();
    if (narrowed) {
      for (const code of narrowed.codes) {
        const slot = quotes.slot(code);
        if (slot !== undefined) next.add(slot);
      }
    } else {
      for (let slot = 0; slot < quotes.size; slot++) next.add(slot);
    }
    for (const slot of followed) if (!next.has(slot)) quotes.follow(slot, false);
    for (const slot of next) quotes.follow(slot, true);
    followed = [...next];
  }

  function subscribed(): void {
    revision += 1;
    standing = undefined;
    cancelConfirm();
    cancelConfirm = clock.after(CONFIRM_MS, () => {
      standing = revision;
      if (quotes.unconfirmed) options.unconfirmed();
    });
  }

  /** Unsubscribed: nothing is followed any more. */
  function ended(): void {
    sent = undefined;
    cancelConfirm();
    for (const slot of followed) quotes.follow(slot, false);
    followed = [];
  }

  function release(id: number): void {
    const count = (references.get(id) ?? 0) - 1;
    if (count > 0) {
      references.set(id, count);
      return;
    }
    references.delete(id);
    const cancel = clock.after(LINGER_MS, () => {
      lingering.delete(id);
      schedule();
    });
    lingering.set(id, cancel);
    if (references.size === 0) schedule();
  }

  return {
    retain(id) {
      references.set(id, (references.get(id) ?? 0) + 1);
      lingering.get(id)?.();
      lingering.delete(id);
      schedule();
      let held = true;
      return () => {
        if (held) release(id);
        held = false;
      };
    },
    setSaver(next) {
      if (saver === next) return;
      saver = next;
      schedule();
    },
    listChanged() {
      // In a list that is asked for as a whole a new instrument is followed like the rest.
      if (sent === 'all' && followed.length !== quotes.size) {
        follow(undefined);
        subscribed();
      }
      schedule();
    },
    resubscribed() {
      if (releaseTopic) subscribed();
    },
    get standing() {
      return standing;
    },
  };
}
