import type { Selectors } from './probe';

/** The rows of the app, and of all that use its styles. */
const OURS: Selectors = {
  row: '[role=row]:has(> [role=cell])',
  name: '[role=cell]:nth-child(2) button',
  price: '[role=cell]:nth-child(4)',
  change: '[role=cell]:nth-child(5)',
};

export interface Contender {
  name: string;
  /** Where it is served: `/` is the app. */
  path: string;
  /** Its entry among the pages; none: the app. */
  entry?: string;
  selectors?: Selectors;
  /** Needs the packages of bench/package.json. */
  peer: boolean;
  what: string;
}

export const CONTENDERS: readonly Contender[] = [
  { name: 'app', path: '/', selectors: OURS, peer: false, what: 'the app: its list, its worker, its production build' },
  {
    name: 'REF',
    path: '/page/ref',
    entry: 'pages/ref/ref.ts',
    selectors: OURS,
    peer: false,
    what: 'hand-written JavaScript, socket in a worker, typed arrays, only rows in sight, Text.data, 50 ms',
  },
  {
    name: 'naive',
    path: '/page/naive',
    entry: 'pages/naive/naive.tsx',
    selectors: OURS,
    peer: false,
    what: 'React, useState over the list, a render a message',
  },
  {
    name: 'naive, 50 ms',
    path: '/page/naive?cadence=50',
    entry: 'pages/naive/naive.tsx',
    selectors: OURS,
    peer: false,
    what: 'the same, a render each 50 ms',
  },
  { name: 'blank', path: '/page/blank', entry: 'pages/controls/blank.ts', peer: false, what: 'control: a page on which nothing happens' },
  { name: 'frames', path: '/page/frames', entry: 'pages/controls/frames.ts', peer: false, what: 'control: an empty loop of animation frames' },
  { name: 'receive', path: '/page/receive', entry: 'pages/controls/receive.ts', peer: false, what: 'control: a page that receives and does nothing with it' },
  { name: 'receive in worker', path: '/page/receiveWorker', entry: 'pages/controls/receiveWorker.ts', peer: false, what: 'control: a worker that receives and does nothing with it' },
  { name: 'parse in worker', path: '/page/parseWorker', entry: 'pages/controls/parseWorker.ts', peer: false, what: 'control: a worker that receives and parses' },
];

export function contender(name: string): Contender {
  const found = CONTENDERS.find((one) => one.name === name);
  if (!found) throw new Error(`No contender ${name}. There are: ${CONTENDERS.map((one) => one.name).join('; ')}.`);
  return found;
}

/** The name of the page that an entry becomes. */
export function pageOf(entry: string): string {
  return entry.replace(/^.*\/|\.\w+$/g, '');
}
