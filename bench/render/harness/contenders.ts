import type { Selectors } from './probe';
import { DRAWING_COUNT, INDICATOR_COUNT, USED_CHART } from './usedChart';
import { gridAlone, keptLayout, oneChart, STORED_WINDOW_GROUP, threeWindows } from './workspaces';

/** Selectors of the app's rows, and of all pages that use its styles. */
const OURS: Selectors = {
  row: '[role=row]:has(> [role=cell])',
  name: '[role=cell]:nth-child(2) button',
  price: '[role=cell]:nth-child(4)',
  change: '[role=cell]:nth-child(5)',
};

/** Selectors of the grid in the app's workspace. */
const OUR_GRID: Selectors = {
  row: '[role=row]:has(> [role=gridcell])',
  name: '[data-column=name] button',
  price: '[data-column=price]',
  change: '[data-column=change]',
};

const GRID: Selectors = {
  row: '.ag-row',
  name: '[col-id=name] .name',
  price: '[col-id=close]',
  change: '[col-id=change]',
};

const FLOOR: Selectors = {
  row: '#root > p',
  name: 'span:nth-child(1)',
  price: 'span:nth-child(2)',
  change: 'span:nth-child(3)',
};

/** What the app exposes of its chart to tests. */
const APP_CHART = {
  price: 'p[data-direction] > span',
  close: 'fulcrumChart.bars().at(-1)?.close',
} as const;

/** Closes of the last bars of the app's charts on screen, by instrument. */
const APP_CLOSES = `[...(window.fulcrumCharts ?? [])]
  .sort((a, b) => a.instrumentId - b.instrumentId)
  .map((chart) => chart.bars().at(-1)?.close)`;
const chartsOf = (count: number) => ({
  count,
  open: `${APP_CLOSES}.filter((close) => close).length === ${count}`,
  closes: APP_CLOSES,
});

const WINDOWS = threeWindows();

export interface Contender {
  name: string;
  /** Path; `/` is the app. */
  path: string;
  /** Its entry among the pages; undefined for the app. */
  entry?: string;
  selectors?: Selectors;
  /**
   * A screen other than the list: what opens it once the page is ready, the one price it shows, and
   * the close of its chart's last bar.
   */
  screen?: { open: string; price: string; close: string };
  /**
   * Charts of the first instruments beside the list: how many, what is there
   * once they are, and the closes of their last bars.
   */
  charts?: { count: number; open: string; closes: string };
  /** What is true once it shows all that it has to. */
  shows?: string;
  /** Windows of its own beside the page, by path; each shows as many of the charts. */
  windows?: readonly string[];
  /** What the device keeps in localStorage before the visit. */
  kept?: Readonly<Record<string, string>>;
  /** What it keeps in IndexedDB, as `idb-keyval` does, and what the tab keeps in sessionStorage. */
  keptDatabase?: Readonly<Record<string, unknown>>;
  keptByTab?: Readonly<Record<string, string>>;
  /** The feed sends it only the instruments that it asks for, as the server does (protocol.md#quote-filters). */
  narrowed?: true;
  /** Width of its page if it is not a phone's, px. */
  width?: number;
  /** Whether it needs the packages of bench/package.json. */
  peer: boolean;
  what: string;
}

export const CONTENDERS: readonly Contender[] = [
  {
    name: 'app',
    path: '/',
    selectors: OURS,
    peer: false,
    what: 'the app: its list, its worker, its production build',
  },
  {
    name: 'REF',
    path: '/page/ref',
    entry: 'pages/ref/ref.ts',
    selectors: OURS,
    peer: false,
    what: 'hand-written JavaScript, socket in a worker, typed arrays, only rows in sight, Text.data, frames as often as the app',
  },
  {
    name: 'app, chart',
    path: '/?inspect#/trade',
    screen: { open: "document.querySelector('canvas')", ...APP_CHART },
    peer: false,
    what: 'its trade screen: one instrument, with a chart that moves',
  },
  {
    name: 'app, used chart',
    path: '/?inspect#/trade',
    screen: {
      open: `document.querySelectorAll('figure [data-indicator]').length === ${INDICATOR_COUNT}
        && document.querySelectorAll('fieldset[aria-label=Drawings] li').length === ${DRAWING_COUNT}`,
      ...APP_CHART,
    },
    kept: USED_CHART,
    peer: false,
    what: 'the same with three indicators, two of them in panes of their own, and ten drawings in sight',
  },
  {
    name: 'REF trade',
    path: '/page/refTrade',
    entry: 'pages/trade/refTrade.ts',
    screen: { open: 'window.benchClose', price: '#price', close: 'benchClose()' },
    peer: false,
    what: "REF's worker, one price in text and the same chart library redrawn with each frame, nothing else",
  },
  {
    name: 'REF nine',
    path: '/page/refNine',
    entry: 'pages/nine/refNine.ts',
    selectors: OURS,
    charts: { count: 9, open: 'window.benchCloses', closes: 'benchCloses()' },
    width: 1920,
    peer: false,
    what: "REF's list beside nine charts whose moving bar is a canvas of its own, one worker, nothing else",
  },
  {
    name: 'app, desktop',
    path: '/',
    selectors: OUR_GRID,
    width: 1440,
    peer: false,
    what: 'the desktop as it ships: list, chart, form and positions',
  },
  {
    name: 'app, nine',
    path: '/?inspect#/workspace',
    selectors: OUR_GRID,
    charts: chartsOf(9),
    keptDatabase: keptLayout(),
    width: 1920,
    peer: false,
    what: 'its workspace: the shipped layout of nine charts, its grid with name, price and change',
  },
  {
    name: 'app, one chart',
    path: '/?inspect#/workspace',
    selectors: OUR_GRID,
    charts: chartsOf(1),
    keptDatabase: keptLayout(oneChart()),
    width: 1920,
    peer: false,
    what: 'the same grid beside one of the charts: what eight more take',
  },
  {
    name: 'app, one window',
    path: '/?inspect#/workspace',
    selectors: OUR_GRID,
    charts: chartsOf(9),
    keptDatabase: keptLayout(),
    narrowed: true,
    width: 1920,
    peer: false,
    what: "the workspace of nine charts, its feed narrowed as the server's",
  },
  {
    name: 'app, four windows',
    path: '/?inspect#/workspace',
    selectors: OUR_GRID,
    charts: chartsOf(9),
    windows: WINDOWS.windows,
    keptDatabase: keptLayout(WINDOWS.layout),
    keptByTab: STORED_WINDOW_GROUP,
    narrowed: true,
    width: 1920,
    peer: false,
    what: 'the same panels in four windows: the grid in the page, three charts in each of the others',
  },
  {
    name: 'app, grid',
    path: '/#/workspace',
    selectors: OUR_GRID,
    keptDatabase: keptLayout(gridAlone()),
    width: 1920,
    peer: false,
    what: 'its grid alone, with name, price, change, open and age',
  },
  {
    name: 'app, grid of indicators',
    path: '/#/workspace',
    selectors: OUR_GRID,
    shows: `[...document.querySelectorAll('[role=gridcell][data-column=macd]')]
      .filter((cell) => /\\d/.test(cell.textContent)).length >= 60`,
    keptDatabase: keptLayout(gridAlone('rsi', 'macd', 'atr', 'sma', 'ema')),
    width: 1920,
    peer: false,
    what: 'the same with five indicators of the minute, which move with each quote',
  },
  {
    name: 'app, ticket',
    path: '/?inspect#/trade',
    screen: {
      open: `(() => {
        const field = document.querySelector('input[inputmode=decimal]');
        if (field) field.focus();
        else [...document.querySelectorAll('button')].find((b) => b.textContent.startsWith('Buy'))?.click();
        return field;
      })()`,
      ...APP_CHART,
    },
    peer: false,
    what: 'the order form over it, typed in',
  },
  {
    name: 'REF form',
    path: '/page/refForm',
    entry: 'pages/trade/refForm.ts',
    screen: {
      open: "window.benchClose && (document.querySelector('input').focus(), true)",
      price: '#price',
      close: 'benchClose()',
    },
    peer: false,
    what: 'REF trade below a sheet with an uncontrolled field, whose costs are written with each key and each price',
  },
  {
    name: 'REF sheet',
    path: '/page/refSheet',
    entry: 'pages/ref/refSheet.ts',
    selectors: OURS,
    peer: false,
    what: "REF's list with a sheet of texts, which is written, shown and hidden by hand",
  },
  {
    name: 'P1',
    path: '/page/tanstack?frameInterval=50',
    entry: 'pages/tanstack/tanstack.tsx',
    selectors: OURS,
    peer: false,
    what: 'React with TanStack Virtual, memoised rows, useSyncExternalStore, at most a frame in 50 ms; at /trade a chart',
  },
  {
    name: 'P1, each message',
    path: '/page/tanstack',
    entry: 'pages/tanstack/tanstack.tsx',
    selectors: OURS,
    peer: false,
    what: 'the same, each message at once',
  },
  {
    name: 'P1, our worker',
    path: '/page/tanstackWorker',
    entry: 'pages/tanstack/tanstackWorker.tsx',
    selectors: OURS,
    peer: false,
    what: 'the same rendering, quotes from our worker',
  },
  {
    name: 'P2',
    path: '/page/grid?frameInterval=50',
    entry: 'pages/grid/grid.ts',
    selectors: GRID,
    peer: true,
    what: 'AG Grid Community, asynchronous transactions (50 ms, its default), cell flash of 300 ms',
  },
  {
    name: 'P2, its flash',
    path: '/page/grid',
    entry: 'pages/grid/grid.ts',
    selectors: GRID,
    peer: true,
    what: 'the same with its own flash, 500 ms and a fade of 1,000 ms',
  },
  {
    name: 'signal in JSX',
    path: '/page/jsx',
    entry: 'pages/signals/jsx.tsx',
    selectors: OURS,
    peer: false,
    what: '{signal} in JSX (@preact/signals-react), TanStack Virtual, quotes from our worker',
  },
  {
    name: 'Solid',
    path: '/page/solid?frameInterval=50',
    entry: 'pages/solid/solid.tsx',
    selectors: OURS,
    peer: true,
    what: 'Solid with a window of its own, at most a frame in 50 ms',
  },
  {
    name: 'Solid, each message',
    path: '/page/solid',
    entry: 'pages/solid/solid.tsx',
    selectors: OURS,
    peer: true,
    what: 'the same, each message at once',
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
    path: '/page/naive?frameInterval=50',
    entry: 'pages/naive/naive.tsx',
    selectors: OURS,
    peer: false,
    what: 'the same, a render each 50 ms',
  },
  {
    name: 'blank',
    path: '/page/blank',
    entry: 'pages/controls/blank.ts',
    peer: false,
    what: 'control: a page on which nothing happens',
  },
  {
    name: 'frames',
    path: '/page/frames',
    entry: 'pages/controls/frames.ts',
    peer: false,
    what: 'control: an empty loop of animation frames',
  },
  {
    name: 'receive',
    path: '/page/receive',
    entry: 'pages/controls/receive.ts',
    peer: false,
    what: 'control: a page that receives and does nothing with it',
  },
  {
    name: 'receive in worker',
    path: '/page/receiveWorker',
    entry: 'pages/controls/receiveWorker.ts',
    peer: false,
    what: 'control: a worker that receives and does nothing with it',
  },
  {
    name: 'parse in worker',
    path: '/page/parseWorker',
    entry: 'pages/controls/parseWorker.ts',
    peer: false,
    what: 'control: a worker that receives and parses',
  },
  {
    name: 'floor',
    path: '/page/floor',
    entry: 'pages/controls/floor.ts',
    selectors: FLOOR,
    peer: false,
    what: 'control of the start: document, one script, list and socket at once, rows as bare text',
  },
];

export function contender(name: string): Contender {
  const found = CONTENDERS.find((one) => one.name === name);
  if (!found)
    throw new Error(
      `No contender ${name}. There are: ${CONTENDERS.map((one) => one.name).join('; ')}.`,
    );
  return found;
}

/** The page name of an entry. */
export function pageOf(entry: string): string {
  return entry.replace(/^.*\/|\.\w+$/g, '');
}
