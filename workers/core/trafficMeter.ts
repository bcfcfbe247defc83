import type { Traffic } from '#domain/worker/workerApi';
import type { Clock } from './ports';

/** Measures what the worker receives and, where that was requested, how long it works. */
export interface TrafficMeter {
  received(data: unknown): void;
  /** Begins a piece of work; 0 while time is not measured. */
  begin(): number;
  /** Ends the piece of work that `begin` returned. */
  end(began: number): void;
  /** A clock whose tasks count as work. */
  timed(clock: Clock): Clock;
  /** As WorkerApi.traffic. */
  traffic(timed: boolean): Traffic;
}

/** `stopwatch`: ms since any moment, in fractions. */
export function createTrafficMeter(stopwatch: () => number): TrafficMeter {
  const traffic: Traffic = { messages: 0, characters: 0, busyMs: 0 };
  let timing = false;
  function begin(): number {
    return timing ? stopwatch() : 0;
  }

  function end(began: number): void {
    if (began > 0) traffic.busyMs += stopwatch() - began;
  }

  return {
    begin,
    end,
    timed: ({ now, after }) => ({
      now,
      after: (wait, task) =>
        after(wait, () => {
          const began = begin();
          task();
          end(began);
        }),
    }),
    received(data) {
      traffic.messages += 1;
      if (typeof data === 'string') traffic.characters += data.length;
    },
    traffic(timed) {
      timing = timed;
      return { ...traffic };
    },
  };
}
