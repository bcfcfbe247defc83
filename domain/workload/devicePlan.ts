import { gathered, MAIN, type Workload } from './workload';

/** One screen of the app under one workload, where a browser has no developer tools. */
export interface DeviceStep {
  /** The name of the app's screen among the contenders of the benchmark. */
  contender: 'app' | 'app, chart' | 'app, ticket';
  /** The page by hand beside which `--devices` shows it. */
  floor: 'REF' | 'REF trade' | 'REF form';
  workload: Workload;
}

/** One instrument with its chart, and the order form over it. */
export const TRADE: Workload = { ...MAIN, first: 20 };
export const TICKET: Workload = { ...TRADE, hand: 'typing' };

/** Quotes a second of the list at rest, by which a device is judged. */
export const LADDER = [100, 300, 1000, 3000] as const;

/** What is played on a device, by the app on `/bench` and by `npm run bench -- --devices`. */
export const DEVICE_PLAN: readonly DeviceStep[] = [
  ...LADDER.map(
    (rate): DeviceStep => ({ contender: 'app', floor: 'REF', workload: gathered({ rate }) }),
  ),
  { contender: 'app', floor: 'REF', workload: { ...MAIN, hand: 'fling' } },
  { contender: 'app, chart', floor: 'REF trade', workload: TRADE },
  { contender: 'app, ticket', floor: 'REF form', workload: TICKET },
];

/** Seconds of each step: until what loads only once is there, and of the measurement. */
export const DEVICE_TIMING = { warmUp: 1.5, window: 5 } as const;

/** How long a device may take for its rows, and to show the last quotes, ms. */
export const DEVICE_PATIENCE = 15_000;
