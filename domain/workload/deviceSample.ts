import { ages, type SeenPrice, type SentQuotes } from './ages';
import type { DeviceSample } from './deviceRun';
import { droppedFrames } from './frames';

/** What a page has told of itself; null: its browser cannot tell. Times in ms. */
export interface DeviceReport {
  seconds: number;
  rows: number;
  firstQuote: number | null;
  intervals: number[];
  longFrames: number[] | null;
  events: number[] | null;
  inputDelays: number[];
  seen: SeenPrice[];
  /** The market's clock less that of the page, and the largest error of it. */
  clock: { offset: number; error: number };
  frameInterval?: number;
}

/** The sample of a report, beside what was sent meanwhile. `textOf` writes a price in thousandths as the page does. */
export function deviceSample(
  report: DeviceReport,
  quotes: SentQuotes,
  sent: { sentAt: readonly number[]; late: number },
  textOf?: (thousandths: number) => string,
): DeviceSample {
  const { seconds, rows, intervals, longFrames, events, firstQuote, clock, frameInterval } = report;
  const seen = report.seen.map((one) => ({ ...one, at: one.at + clock.offset }));
  return {
    ages: ages(quotes, sent.sentAt, seen, undefined, textOf),
    frames: {
      seconds,
      presented: intervals.length,
      dropped: droppedFrames(intervals),
      intervals,
      collections: [],
    },
    watched: seconds,
    ...(longFrames && { longFrames }),
    inputDelays: report.inputDelays,
    ...(events && { eventDurations: events }),
    ...(firstQuote !== null && { firstQuote }),
    feedLate: sent.late,
    rows,
    clockError: clock.error,
    ...(frameInterval !== undefined && { frameInterval }),
  };
}
