import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';

/** Moments are rounded up to this many ms, so that readers share their timers. */
const SLOT_MS = toDurationMs(10);

/** Something that is due later, at most once at a time. */
export interface Scheduled {
  /** The slot it is due in; the schedule's own. */
  slot: number | undefined;
  /** Called when it is due. */
  due(): void;
}

/** One timer for all readers that are sent to at intervals. */
export class SendSchedule {
  private readonly clock: Clock;
  private readonly slots = new Map<number, Set<Scheduled>>();
  private armedFor = Number.POSITIVE_INFINITY;
  /** While items are called: since when. What they add is due together again. */
  private firedAt: number | undefined;
  private disarm = () => {};

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Makes `item` due `delay` ms from now, or up to 10 ms later. */
  add(item: Scheduled, delay: number): void {
    this.remove(item);
    const slot = Math.ceil(((this.firedAt ?? this.clock.now()) + delay) / SLOT_MS);
    item.slot = slot;
    const items = this.slots.get(slot);
    if (items) items.add(item);
    else this.slots.set(slot, new Set([item]));
    if (slot < this.armedFor) this.arm(slot);
  }

  remove(item: Scheduled): void {
    if (item.slot === undefined) return;
    const items = this.slots.get(item.slot);
    items?.delete(item);
    if (items?.size === 0) this.slots.delete(item.slot);
    item.slot = undefined;
  }

  private arm(slot: number): void {
    this.disarm();
    this.armedFor = slot;
    const wait = toDurationMs(Math.max(0, slot * SLOT_MS - this.clock.now()));
    this.disarm = this.clock.after(wait, () => this.fire());
  }

  private fire(): void {
    this.armedFor = Number.POSITIVE_INFINITY;
    const now = this.clock.now();
    const due = [...this.slots.keys()]
      .filter((slot) => slot * SLOT_MS <= now)
      .sort((a, b) => a - b);
    this.firedAt = now;
    for (const slot of due) {
      const items = this.slots.get(slot) ?? [];
      this.slots.delete(slot);
      for (const item of items) {
        item.slot = undefined;
        item.due();
      }
    }
    this.firedAt = undefined;
    let next = Number.POSITIVE_INFINITY;
    for (const slot of this.slots.keys()) next = Math.min(next, slot);
    if (next < this.armedFor) this.arm(next);
  }
}
