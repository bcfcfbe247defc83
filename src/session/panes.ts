import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { aBoolean, aNumber, stored } from './stored';

/** A pane of the desktop layout, px. */
export interface Pane {
  /** As the user wants it, in a window that is large enough; saved. */
  size: Signal<number>;
  /** As it is shown: the chart keeps its minimum size. */
  shown: ReadonlySignal<number>;
  min: number;
  /** The largest that this window allows. */
  max: ReadonlySignal<number>;
  resize(size: number): void;
  reset(): void;
}

/** Beside every screen. */
const TABS = 88;
/** Space that other panes leave to the chart, with its header. */
const CHART_WIDTH = 480;
const CHART_HEIGHT = 424;
/** Two buttons below the chart where the order form is not beside it. */
const BUTTONS = 60;

const windowSize = signal({ width: innerWidth, height: innerHeight });
addEventListener('resize', () => {
  windowSize.value = { width: innerWidth, height: innerHeight };
});

function pane(name: string, min: number, usual: number, most: number, left: () => number): Pane {
  const size = stored(name, usual, aNumber);
  const max = computed(() => Math.max(min, Math.min(most, left())));
  const fitting = (wanted: number) => Math.min(max.value, Math.max(min, Math.round(wanted)));
  return {
    size,
    shown: computed(() => fitting(size.value)),
    min,
    max,
    resize: (next) => {
      size.value = fitting(next);
    },
    reset: () => {
      size.value = usual;
    },
  };
}

const LIST_MIN = 320;
const TICKET_MIN = 272;

const besideChart = computed(() => windowSize.value.width - TABS - CHART_WIDTH);

/** Whether the order form fits beside list and chart. It opens as a dialog otherwise. */
export const ticketBeside = computed(() => besideChart.value >= LIST_MIN + TICKET_MIN);

export const ticketPane = pane(
  'ticket-width',
  TICKET_MIN,
  280,
  480,
  () => besideChart.value - LIST_MIN,
);
export const listPane = pane(
  'list-width',
  LIST_MIN,
  440,
  640,
  () => besideChart.value - (ticketBeside.value ? ticketPane.shown.value : 0),
);
/** Whether a user was logged in last: their orders get their place before it is known who it is. */
export const ordersExpected = stored('orders-expected', false, aBoolean);
export const ordersPane = pane(
  'orders-height',
  160,
  320,
  560,
  () => windowSize.value.height - CHART_HEIGHT - (ticketBeside.value ? 0 : BUTTONS),
);
