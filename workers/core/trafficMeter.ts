import type { Traffic } from '#domain/gateway/gateway';

/** What the worker receives, and how long it works, where somebody looks at that. */
export interface TrafficMeter {
  received(data: unknown): void;
  /** Begins a piece of work; 0 while nobody looks. */
  begin(): number;
  /** Ends the piece of work that `begin` gave. */
  end(begun: number): void;
  /** As Gateway.traffic. */
  traffic(timed: boolean): Traffic;
}

/** `stopwatch`: ms since any moment, in fractions. */
export function createTrafficMeter(stopwatch: () => number): TrafficMeter {
  const traffic: Traffic = { messages: 0, characters: 0, busyMs: 0 };
  let looking = false;
  return {
    received(data) {
      traffic.messages += 1;
      if (typeof data === 'string') traffic.characters += data.length;
    },
    begin: () => (looking ? stopwatch() : 0),
    end(begun) {
      if (begun > 0) traffic.busyMs += stopwatch() - begun;
    },
    traffic(timed) {
      looking = timed;
      return { ...traffic };
    },
  };
}
