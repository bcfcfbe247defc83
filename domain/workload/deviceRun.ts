import type { Workload } from './workload';

/** What a page without developer tools tells of itself; a part of a sample of the benchmark. Times in ms. */
export interface DeviceSample {
  /** From sending a quote of a visible row to painting it. */
  ages: number[];
  frames: {
    seconds: number;
    presented: number;
    dropped: number;
    intervals: number[];
    collections: number[];
  };
  /** Seconds of the observation. */
  watched: number;
  /** Long animation frames; undefined where the browser does not tell. */
  longFrames?: number[];
  inputDelays: number[];
  /** Of taps and keys, of at least 16; undefined where the browser does not tell. */
  eventDurations?: number[];
  firstQuote?: number;
  /** The largest delay of a message of the market. */
  feedLate: number;
  /** Rows in sight. */
  rows: number;
  /** The largest error of the ages, by the difference of two clocks. */
  clockError: number;
  /** The longest interval that the app has chosen between two frames of its list; undefined where it does not tell. */
  frameInterval?: number;
}

/** Why a step has no sample. */
export const DEVICE_FAILURES = ['rows', 'screen', 'gate', 'hidden', 'refused'] as const;

/** A step as it was played, in the form of the benchmark's runs. */
export interface DeviceRun {
  section: string;
  contender: string;
  workload: Workload;
  round: number;
  sample?: DeviceSample;
  failure?: string;
}

/** A file of results of a device, in the form of the benchmark's. */
export interface DeviceResults {
  about: Record<string, string | number>;
  bytes: Record<string, never>;
  runs: DeviceRun[];
}
