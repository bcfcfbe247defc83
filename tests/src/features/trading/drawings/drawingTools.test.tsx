import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import { toUnixSeconds } from '#domain/core/time';
import type { ChartPeriod } from '#domain/market/kline';
import { alertWish } from '../../../../../src/alerts/alertWish';
import { BarList } from '../../../../../src/features/trading/chart/barList';
import { chartClock } from '../../../../../src/features/trading/chart/chartClock';
import type { AxisMode } from '../../../../../src/features/trading/chart/chartStyle';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { DrawingsSlot } from '../../../../../src/features/trading/drawings/DrawingsSlot';
import DrawingTools from '../../../../../src/features/trading/drawings/DrawingTools';
import { PLAIN_STYLE } from '../../../../../src/features/trading/drawings/drawing';
import { magnet } from '../../../../../src/features/trading/drawings/drawingSettings';
import { drawingsStore } from '../../../../../src/features/trading/drawings/drawingsStore';
import { adding } from '../../../../../src/features/trading/drawings/edits';
import { toolsOpen } from '../../../../../src/features/trading/drawings/toolsOpen';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { eventually } from '../../../../helpers/eventually';
import { onDesktop, renderSettled } from '../../../rendering';
import { scriptWorkerApi, settingsWith } from '../../../scriptedWorkerApi';
import { EURUSD } from '../../sampleOrder';

beforeEach(async () => {
  await showLanguage('en');
  onDesktop();
  const { scripted } = scriptWorkerApi([], { silent: true });
  scripted.accountSettings = async () => success(settingsWith(['conditions']));
  magnet.value = false;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});
afterEach(() => {
  alertWish.value = undefined;
  toolsOpen.value = undefined;
  magnet.value = true;
});

/** A chart of ten bars of 10 px with the trend line chosen; a px is a hundredth of the price, which is 2 at the top. */
async function drawing() {
  const host = document.createElement('div');
  document.body.append(host);
  host.setPointerCapture = () => undefined;
  const bars = new BarList();
  const live = new LiveChart(async () => success(undefined));
  live.space.value = {
    host,
    bars: () => bars,
    size: () => ({ width: 500, height: 400 }),
    xOf: (index) => index * 10,
    indexAt: (x) => Math.round(x / 10),
    yOf: (price) => (2 - price) * 100,
    priceAt: (y) => 2 - y / 100,
    hasLineAt: () => false,
    moveLine: () => undefined,
    dropLine: () => undefined,
    repaint: () => undefined,
    attach: () => () => undefined,
  };
  toolsOpen.value = live;
  const tools = (instrument: typeof EURUSD, period: ChartPeriod, step: number) => {
    const rows = Array.from({ length: 10 }, (_, at) => [at * step, 1, 1, 1, 1, 1]);
    bars.apply('replace', Float64Array.from(rows.flat()));
    const clock = chartClock(period, 'en');
    return <DrawingTools {...{ live, instrument, period, clock }} />;
  };
  const page = await renderSettled(tools(EURUSD, '1min', 60));
  await act(async () => screen.getByRole('button', { name: 'Trend line' }).click());
  return {
    live,
    host,
    show: (...shown: Parameters<typeof tools>) => act(async () => page.rerender(tools(...shown))),
    press: (x: number, y: number) =>
      act(async () => {
        const at = { clientX: x, clientY: y, pointerId: 1, isPrimary: true, button: 0 };
        fireEvent.pointerDown(host, { ...at, pointerType: 'mouse' });
        fireEvent.pointerUp(host, { ...at, pointerType: 'mouse' });
      }),
    said: () => page.container.textContent,
  };
}

const anchors = (code: string) =>
  drawingsStore(code, 5).history.value.list.map(({ anchors }) => anchors);

test('a drawing keeps the points that are set where the chart shows another period', async () => {
  const { show, press, said } = await drawing();
  await press(20, 50);
  expect(said()).toContain('Trend line: Point 2 of 2');
  await show(EURUSD, '5min', 300);
  await press(30, 80);
  expect(anchors('EURUSD')).toEqual([
    [
      { time: toUnixSeconds(120), price: '1.50000' },
      { time: toUnixSeconds(900), price: '1.20000' },
    ],
  ]);
});

test('it begins anew where the chart shows another instrument', async () => {
  const { show, press, said } = await drawing();
  await press(20, 50);
  await show({ ...EURUSD, id: 2, code: 'GOLD' }, '1min', 60);
  expect(said()).toContain('Trend line: Point 1 of 2');
  await press(30, 80);
  await press(40, 90);
  expect(anchors('GOLD')).toEqual([
    [
      { time: toUnixSeconds(180), price: '1.20000' },
      { time: toUnixSeconds(240), price: '1.10000' },
    ],
  ]);
  // Nor can be undone there what was deleted of this one.
  await act(async () => screen.getByRole('button', { name: 'Delete' }).click());
  expect(said()).toContain('Trend line deleted');
  await show(EURUSD, '1min', 60);
  expect(said()).not.toContain('deleted');
});

test('what was deleted can be undone until the next edit, wherever that is made', async () => {
  const { show, press, said } = await drawing();
  await show({ ...EURUSD, id: 3, code: 'SILVER' }, '1min', 60);
  await press(20, 50);
  await press(30, 80);
  const store = drawingsStore('SILVER', 5);
  const [line] = store.history.value.list;
  const remove = async () => {
    await press(25, 65);
    await act(async () => screen.getByRole('button', { name: 'Delete' }).click());
    expect(said()).toContain('Trend line deleted');
  };
  await act(async () => screen.getByRole('button', { name: 'Delete' }).click());
  expect(said()).toContain('Trend line deleted');
  await act(async () => store.undo());
  expect(said()).not.toContain('deleted');
  await act(async () => store.redo());
  expect(said()).not.toContain('deleted');
  await act(async () => store.undo());
  await remove();
  await act(async () =>
    store.edit((list) => adding(list, line ? [{ ...line, id: 'another' }] : [])),
  );
  expect(said()).not.toContain('deleted');
  await act(async () => store.undo());
  expect(said()).not.toContain('deleted');
});

test('Escape leaves the tool, then closes the tools, also while the bars have the focus', async () => {
  const { host, said } = await drawing();
  const pressEscape = () => act(async () => void fireEvent.keyDown(host, { key: 'Escape' }));
  await pressEscape();
  expect(said()).not.toContain('Point 1 of 2');
  expect(screen.getByRole('button', { name: 'Trend line' })).toBeDefined();
  await pressEscape();
  expect(screen.queryByRole('button', { name: 'Trend line' })).toBeNull();
  // The next one is the chart's.
  expect(fireEvent.keyDown(host, { key: 'Escape' })).toBe(true);
});

test('the first drawing of an instrument is on all of its charts', async () => {
  const instrument = { ...EURUSD, id: 4, code: 'COPPER' };
  const clock = chartClock('1min', 'en');
  const [one, other] = [0, 1].map(() => new LiveChart(async () => success(undefined)));
  if (!one || !other) throw new Error('no charts');
  await renderSettled(
    <>
      <DrawingsSlot live={one} instrument={instrument} period="1min" clock={clock} />
      <DrawingsSlot live={other} instrument={instrument} period="1min" clock={clock} />
    </>,
  );
  expect(screen.queryAllByRole('list', { name: 'Drawings' })).toHaveLength(0);
  await act(async () =>
    drawingsStore('COPPER', 5).edit((list) =>
      adding(list, [
        {
          id: crypto.randomUUID(),
          kind: 'horizontal',
          anchors: [{ time: toUnixSeconds(60), price: '1.50000' }],
          style: PLAIN_STYLE,
          locked: false,
          text: '',
        },
      ]),
    ),
  );
  await eventually(() => expect(screen.getAllByRole('list', { name: 'Drawings' })).toHaveLength(2));
});

test('an alert on a line is judged on the axis that the chart has, which is linear where it compares', async () => {
  const { live, press } = await drawing();
  await press(20, 50);
  await press(30, 80);
  const scale = async (mode: AxisMode) => {
    await act(async () => live.scaleTo(mode));
    await act(async () => screen.getByRole('button', { name: 'Alert on this line' }).click());
    return alertWish.value?.condition;
  };
  expect(await scale('logarithmic')).toMatchObject({ kind: 'line', scale: 'log' });
  expect(await scale('percent')).toMatchObject({ scale: 'linear' });
});
