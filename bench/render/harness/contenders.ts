import { OURS, type Selectors } from '../../../src/probe/rows';
import {
  BOXES,
  type Box,
  type Boxes,
  contenderNames,
  type Manifest,
  readManifest,
} from './manifest';
import { DRAWING_COUNT, INDICATOR_COUNT, USED_CHART } from './usedChart';
import { gridAlone, keptLayout, oneChart, STORED_WINDOW_GROUP, threeWindows } from './workspaces';

/** Selectors of the grid in the app's workspace. */
const OUR_GRID: Selectors = {
  row: '[role=row]:has(> [role=gridcell])',
  name: '[data-column=name] button',
  price: '[data-column=price]',
  change: '[data-column=change]',
};

/** Its styles have other names in its build. */
const OUR_BOXES: Boxes = {
  star: ':scope > :nth-child(1) button path',
  mark: ':scope > :nth-child(2) [data-letters]',
  sparkline: ':scope > :nth-child(3) path[d*=L]',
  tail: ':scope > :nth-child(4) > :nth-child(2)',
  direction: BOXES.direction,
  flash: BOXES.flash,
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
  /** Where its rows have the boxes of the benchmark, which the gate looks for. */
  boxes?: Boxes;
  /** `false` of a list that the gate does not scroll. */
  scrolls?: false;
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
  what: string;
  /** Of a contender that is a folder. */
  about?: Manifest;
}

/** What is part of the benchmark: the app, the pages by hand and the controls. */
const PARTS: readonly Contender[] = [
  {
    name: 'app',
    path: '/',
    selectors: OURS,
    boxes: OUR_BOXES,
    what: 'the app: its list, its worker, its production build',
  },
  {
    name: 'REF',
    path: '/page/ref',
    entry: 'pages/ref/ref.ts',
    selectors: OURS,
    boxes: OUR_BOXES,
    what: 'hand-written JavaScript, socket in a worker, typed arrays, only rows in sight, Text.data, frames as often as the app',
  },
  {
    name: 'app, chart',
    path: '/?inspect#/trade',
    screen: { open: "document.querySelector('canvas')", ...APP_CHART },
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
    what: 'the same with three indicators, two of them in panes of their own, and ten drawings in sight',
  },
  {
    name: 'REF trade',
    path: '/page/refTrade',
    entry: 'pages/trade/refTrade.ts',
    screen: { open: 'window.benchClose', price: '#price', close: 'benchClose()' },
    what: "REF's worker, one price in text and the same chart library redrawn with each frame, nothing else",
  },
  {
    name: 'REF nine',
    path: '/page/refNine',
    entry: 'pages/nine/refNine.ts',
    selectors: OURS,
    boxes: OUR_BOXES,
    charts: { count: 9, open: 'window.benchCloses', closes: 'benchCloses()' },
    width: 1920,
    what: "REF's list beside nine charts whose moving bar is a canvas of its own, one worker, nothing else",
  },
  {
    name: 'app, desktop',
    path: '/',
    selectors: OUR_GRID,
    width: 1440,
    what: 'the desktop as it ships: list, chart, form and positions',
  },
  {
    name: 'app, nine',
    path: '/?inspect#/workspace',
    selectors: OUR_GRID,
    charts: chartsOf(9),
    keptDatabase: keptLayout(),
    width: 1920,
    what: 'its workspace: the shipped layout of nine charts, its grid with name, price and change',
  },
  {
    name: 'app, one chart',
    path: '/?inspect#/workspace',
    selectors: OUR_GRID,
    charts: chartsOf(1),
    keptDatabase: keptLayout(oneChart()),
    width: 1920,
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
    what: 'the same panels in four windows: the grid in the page, three charts in each of the others',
  },
  {
    name: 'app, grid',
    path: '/#/workspace',
    selectors: OUR_GRID,
    keptDatabase: keptLayout(gridAlone()),
    width: 1920,
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
    what: 'REF trade below a sheet with an uncontrolled field, whose costs are written with each key and each price',
  },
  {
    name: 'REF choices',
    path: '/page/refChoices',
    entry: 'pages/trade/refChoices.ts',
    screen: { open: 'window.benchClose', price: '#price', close: 'benchClose()' },
    what: 'REF form with radios, a field that one of them reveals, and a button for more lots',
  },
  {
    name: 'REF palette',
    path: '/page/refPalette',
    entry: 'pages/ref/refPalette.ts',
    selectors: OURS,
    boxes: OUR_BOXES,
    width: 1440,
    what: "REF's list on a desktop, with a dialog of actions and instruments that keys filter by hand",
  },
  {
    name: 'REF sheet',
    path: '/page/refSheet',
    entry: 'pages/ref/refSheet.ts',
    selectors: OURS,
    boxes: OUR_BOXES,
    what: "REF's list with a sheet of texts, which is written, shown and hidden by hand",
  },
  {
    name: 'blank',
    path: '/page/blank',
    entry: 'pages/controls/blank.ts',
    what: 'control: a page on which nothing happens',
  },
  {
    name: 'frames',
    path: '/page/frames',
    entry: 'pages/controls/frames.ts',
    what: 'control: an empty loop of animation frames',
  },
  {
    name: 'receive',
    path: '/page/receive',
    entry: 'pages/controls/receive.ts',
    what: 'control: a page that receives and does nothing with it',
  },
  {
    name: 'receive in worker',
    path: '/page/receiveWorker',
    entry: 'pages/controls/receiveWorker.ts',
    what: 'control: a worker that receives and does nothing with it',
  },
  {
    name: 'parse in worker',
    path: '/page/parseWorker',
    entry: 'pages/controls/parseWorker.ts',
    what: 'control: a worker that receives and parses',
  },
  {
    name: 'floor',
    path: '/page/floor',
    entry: 'pages/controls/floor.ts',
    selectors: FLOOR,
    scrolls: false,
    what: 'control of the start: document, one script, list and socket at once, rows as bare text',
  },
];

/** The boxes that README.md describes. */
const PLAIN: NonNullable<Manifest['rows']> = {
  row: '.row',
  name: '.pick',
  price: '.price',
  change: '.change',
};

/** Each folder is a contender of its name. */
function folders(): Contender[] {
  return contenderNames().map((name) => {
    const about = readManifest(name);
    const { without } = about;
    const { boxes, ...selectors } = about.rows ?? PLAIN;
    const has = ([box]: [string, string]) => !without.includes(box as Box);
    const shows =
      about.kind === 'chart'
        ? { screen: { open: 'window.lastClose', price: '#price', close: 'lastClose()' } }
        : {
            selectors,
            boxes: Object.fromEntries(Object.entries({ ...BOXES, ...boxes }).filter(has)),
          };
    const what = [about.what, without.length > 0 && `without ${without.join(', ')}`];
    return { name, path: `/page/${name}`, what: what.filter(Boolean).join('; '), about, ...shows };
  });
}

/** With the folder to begin a contender with. */
export const ALL: readonly Contender[] = [...PARTS, ...folders()];

/** Those that runs measure. */
export const CONTENDERS = ALL.filter(({ name }) => name !== 'template');

export function contender(name: string): Contender {
  const found = CONTENDERS.find((one) => one.name === name);
  if (!found)
    throw new Error(
      `No contender ${name}. There are: ${CONTENDERS.map((one) => one.name).join('; ')}.`,
    );
  return found;
}

/** The name of its page; undefined for the app. */
export function pageOf({ name, entry, about }: Contender): string | undefined {
  return about ? name : entry?.replace(/^.*\/|\.\w+$/g, '');
}
