// What a phone's network costs: the tables of network.json and traffic.json in docs/performance.md.
import { readFileSync } from 'node:fs';
import { medianOf } from '../../lib/statistics';
import { table } from './table';

/** Times of a visit, in ms. */
export interface Times {
  /** Until the first price of any age. */
  rows: number;
  live: number;
}

/** What a page costs while it is in sight, or hidden. */
export interface Cost {
  kilobytesPerMinute: number;
  cpuMsPerSecond: number;
}

export interface TrafficRow {
  screen: string;
  saver: boolean;
  visible: Cost;
  hidden: Cost;
}

interface About {
  about: { at: string };
}
type NetworkResult = About & { samples: Record<string, Record<string, Times>[]> };
type TrafficResult = About & { rows: TrafficRow[] };

const VISITS = {
  'one document and one socket (the floor)': 'socket',
  'the list': 'app',
  '`/trade`': 'app, trade',
  'the list, second visit': 'app, second visit',
  '`/trade`, second visit': 'app, trade, second visit',
};

const read = <T>(file: string) =>
  JSON.parse(readFileSync(`bench/results/${file}.json`, 'utf8')) as T;
const dated = ({ about }: About, text: string) => `${about.at.slice(0, 10)}.\n\n${text}`;

/** Seconds until the first live price, by network; in brackets until any price. */
export function network(): string {
  const result = read<NetworkResult>('network');
  const networks = Object.entries(result.samples);
  const rows = Object.entries(VISITS).map(([title, name]) => [
    title,
    ...networks.map(([, rounds]) => {
      const seconds = (of: keyof Times) =>
        (medianOf(rounds.map((round) => round[name]?.[of] ?? Number.NaN)) / 1000).toFixed(2);
      return name === 'socket' ? seconds('live') : `${seconds('live')} (${seconds('rows')})`;
    }),
  ]);
  return dated(result, table(['', ...networks.map(([name]) => name)], rows));
}

/** KB a minute; ms of CPU a second, by screen. */
export function traffic(): string {
  const result = read<TrafficResult>('traffic');
  const screens = [...new Set(result.rows.map(({ screen }) => screen))];
  const cost = (each: Cost | undefined) =>
    each ? `${each.kilobytesPerMinute.toFixed(1)}; ${each.cpuMsPerSecond.toFixed(1)}` : '–';
  const head = ['in sight', 'with the data saver', 'in the background', 'with the data saver'];
  const rows = screens.map((name) => {
    const [off, on] = [false, true].map((saver) =>
      result.rows.find((row) => row.screen === name && row.saver === saver),
    );
    return [name, ...[off?.visible, on?.visible, off?.hidden, on?.hidden].map(cost)];
  });
  return dated(result, table(['', ...head], rows));
}
