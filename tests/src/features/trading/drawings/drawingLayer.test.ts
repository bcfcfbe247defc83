import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { BarList } from '../../../../../src/features/trading/chart/barList';
import type { ChartSpace } from '../../../../../src/features/trading/chart/chartSpace';
import { type Drawing, PLAIN_STYLE } from '../../../../../src/features/trading/drawings/drawing';
import {
  createDrawingLayer,
  type DrawingLayer,
} from '../../../../../src/features/trading/drawings/drawingLayer';
import { magnet } from '../../../../../src/features/trading/drawings/drawingSettings';
import { createDrawingState } from '../../../../../src/features/trading/drawings/drawingState';
import { drawingsStore } from '../../../../../src/features/trading/drawings/drawingsStore';
import { adding } from '../../../../../src/features/trading/drawings/edits';
import { BarTimes } from '../../../../../src/features/trading/drawings/place';

type Layer = Parameters<ChartSpace['attach']>[0];

/** 50 bars of a minute, 10 px each; a px is a hundredth of the price, which is 100 at the top. */
const bars = new BarList();
bars.apply(
  'replace',
  Float64Array.from(Array.from({ length: 50 }, (_, at) => [at * 60, 98, 99, 97, 98, 1]).flat()),
);
const times = new BarTimes(bars, '1min');
const context = {
  clearRect: vi.fn(),
  measureText: () => ({ width: 40 }),
  ...Object.fromEntries(
    'save restore scale beginPath moveTo lineTo stroke fill fillText roundRect arc setLineDash'
      .split(' ')
      .map((name) => [name, () => undefined]),
  ),
};
const theme = {
  colours: {
    blue: '#00f',
    grey: '#888',
    green: '#0f0',
    red: '#f00',
    orange: '#fa0',
    purple: '#f0f',
  },
  surface: '#fff',
  text: '#000',
  accent: '#00f',
  font: 'sans-serif',
};

let code = 0;
let host: HTMLElement;
let inner: HTMLElement;
let scroll: number;
let layer: DrawingLayer;
let attached: Layer | undefined;
let state: ReturnType<typeof createDrawingState>;
let store: ReturnType<typeof drawingsStore>;
const chart = vi.fn();

beforeEach(() => {
  vi.clearAllMocks();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  const around = document.createElement('figure');
  host = document.createElement('div');
  inner = document.createElement('canvas');
  host.append(inner);
  around.append(host);
  document.body.append(around);
  host.setPointerCapture = () => undefined;
  for (const name of ['pointerdown', 'touchstart', 'mousedown']) host.addEventListener(name, chart);
  scroll = 0;
  state = createDrawingState();
  store = drawingsStore(`LAYER${code++}`, 2);
  magnet.value = false;
  const space: ChartSpace = {
    host,
    bars: () => bars,
    size: () => ({ width: 500, height: 400 }),
    xOf: (index) => index * 10 + scroll,
    indexAt: (x) => Math.round((x - scroll) / 10),
    yOf: (price) => (100 - price) * 100,
    priceAt: (y) => 100 - y / 100,
    hasLineAt: () => false,
    moveLine: () => undefined,
    dropLine: () => undefined,
    repaint: () => undefined,
    attach(given) {
      attached = given;
      return () => {
        attached = undefined;
      };
    },
  };
  const format = { times, precision: 2, formatPrice: String, textsOf: () => [] };
  layer = createDrawingLayer(space, state, store, format, () => false);
  layer.setTheme(theme);
});
afterEach(() => {
  layer.end();
  host.parentElement?.remove();
  localStorage.clear();
  magnet.value = true;
});

/** As the library paints its pane. */
function libraryPaints(): void {
  const scope = {
    context: { canvas: inner },
    horizontalPixelRatio: 1,
    verticalPixelRatio: 1,
    bitmapSize: { width: 500, height: 400 },
  };
  for (const view of attached?.paneViews?.() ?? []) {
    view.renderer()?.draw({
      useBitmapCoordinateSpace: (draw: (scope: unknown) => void) => draw(scope),
    } as never);
  }
}

function pointer(type: string, x: number, y: number, pointerType = 'mouse'): void {
  const init = { clientX: x, clientY: y, pointerId: 1, isPrimary: true, pointerType, button: 0 };
  inner.dispatchEvent(new PointerEvent(type, { ...init, bubbles: true, cancelable: true }));
}
function press(x: number, y: number, pointerType?: string): void {
  pointer('pointerdown', x, y, pointerType);
  pointer('pointerup', x, y, pointerType);
}
const key = (name: string, init: KeyboardEventInit = {}) =>
  host.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, ...init }));
const anchors = () =>
  store.history.value.list.map(({ anchors }) =>
    anchors.map(({ time, price }) => [time / 60, price]),
  );
const level: Drawing = {
  id: 'level',
  kind: 'horizontal',
  anchors: [{ time: toUnixSeconds(600), price: '98.00' }],
  style: PLAIN_STYLE,
  locked: false,
  text: '',
};

test('the drawings are painted again when the view or a drawing changes, not with each paint of the library', () => {
  store.edit((list) => adding(list, [level]));
  libraryPaints();
  context.clearRect.mockClear();
  libraryPaints();
  libraryPaints();
  expect(context.clearRect).not.toHaveBeenCalled();
  scroll = 10;
  libraryPaints();
  expect(context.clearRect).toHaveBeenCalledTimes(1);
  store.undo();
  expect(context.clearRect).toHaveBeenCalledTimes(2);
});

test('two clicks or one drag of a mouse draw a line; the chart gets none of it', () => {
  state.tool.value = 'trend';
  press(100, 200);
  press(300, 100);
  state.tool.value = 'trend';
  pointer('pointerdown', 100, 200);
  pointer('pointermove', 200, 150);
  pointer('pointerup', 300, 100);
  const line = [
    [10, '98.00'],
    [30, '99.00'],
  ];
  expect(anchors()).toEqual([line, line]);
  expect(state.tool.value).toBeUndefined();
  expect(chart).not.toHaveBeenCalled();
});

test('a finger that moves holds its point above itself; a second finger does nothing', () => {
  state.tool.value = 'horizontal';
  pointer('pointerdown', 100, 250, 'touch');
  inner.dispatchEvent(
    new PointerEvent('pointerdown', {
      clientX: 300,
      clientY: 50,
      pointerId: 2,
      pointerType: 'touch',
      bubbles: true,
    }),
  );
  pointer('pointermove', 120, 244, 'touch');
  pointer('pointerup', 120, 244, 'touch');
  expect(anchors()).toEqual([[[12, '98.00']]]);
  expect(chart).not.toHaveBeenCalled();
});

test('the magnet takes a price of the bar that is near', () => {
  magnet.value = true;
  state.tool.value = 'horizontal';
  press(100, 108);
  expect(anchors()).toEqual([[[10, '99.00']]]);
});

test('a finger scrolls over a drawing that is not selected; a tap selects it, a tap beside lets go', () => {
  store.edit((list) => adding(list, [level]));
  pointer('pointerdown', 300, 205, 'touch');
  pointer('pointermove', 340, 260, 'touch');
  pointer('pointerup', 340, 260, 'touch');
  expect(state.selected.value).toBeUndefined();
  expect(anchors()).toEqual([[[10, '98.00']]]);
  press(300, 205, 'touch');
  expect(state.selected.value).toBe('level');
  expect(chart).toHaveBeenCalledTimes(2);
  pointer('pointerdown', 300, 205, 'touch');
  pointer('pointermove', 320, 255, 'touch');
  pointer('pointerup', 320, 255, 'touch');
  expect(anchors()).toEqual([[[12, '97.50']]]);
  expect(chart).toHaveBeenCalledTimes(2);
  press(300, 20, 'touch');
  expect(state.selected.value).toBeUndefined();
});

test('a drag that the browser ends changes nothing, and a locked drawing does not move', () => {
  store.edit((list) => adding(list, [level]));
  pointer('pointerdown', 300, 200);
  pointer('pointermove', 300, 250);
  pointer('pointercancel', 300, 250);
  expect(anchors()).toEqual([[[10, '98.00']]]);
  store.undo();
  store.edit((list) => adding(list, [{ ...level, locked: true }]));
  pointer('pointerdown', 300, 200);
  pointer('pointermove', 300, 250);
  pointer('pointerup', 300, 250);
  press(300, 200);
  for (const name of ['ArrowUp', 'Delete']) key(name);
  expect(anchors()).toEqual([[[10, '98.00']]]);
});

test('keys move by bar and tick, and leave the chart its own', () => {
  const walks = vi.fn();
  host.addEventListener('keydown', walks);
  key('ArrowLeft');
  expect(walks).toHaveBeenCalledTimes(1);
  layer.add(level);
  for (const name of ['ArrowLeft', 'ArrowUp', 'ArrowUp']) key(name);
  expect(anchors()).toEqual([[[9, '98.02']]]);
  key('ArrowDown', { shiftKey: true });
  expect(anchors()).toEqual([[[9, '97.86']]]);
  key('z', { ctrlKey: true });
  expect(anchors()).toEqual([[[9, '98.02']]]);
  key('Я', { code: 'KeyZ', ctrlKey: true, shiftKey: true });
  expect(anchors()).toEqual([[[9, '97.86']]]);
  key('я', { code: 'KeyZ', ctrlKey: true });
  expect(anchors()).toEqual([[[9, '98.02']]]);
  key('Delete');
  expect([anchors(), state.deleted.value?.[0]?.before?.id]).toEqual([[], 'level']);
  expect(walks).toHaveBeenCalledTimes(1);
});

test('a press of the chart that ends beside it is no tap, and the next one is for the drawings again', () => {
  const endBeside = () =>
    window.dispatchEvent(
      new PointerEvent('pointerup', { clientX: 900, clientY: 20, pointerId: 1 }),
    );
  store.edit((list) => adding(list, [level]));
  pointer('pointerdown', 300, 300);
  pointer('pointermove', 480, 100);
  endBeside();
  press(300, 200);
  expect(state.selected.value).toBe('level');
  pointer('pointerdown', 499, 20);
  endBeside();
  expect(state.selected.value).toBe('level');
});
