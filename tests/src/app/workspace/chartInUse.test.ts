import { beforeEach, expect, test } from 'vitest';
import { activatePanel, closePanel, dockPanel, MAIN_AREA } from '#domain/workspace/layout';
import { chartInUse, lastUsed, maximised } from '../../../../src/app/workspace/attention';
import { choosePeriod } from '../../../../src/app/workspace/panelEdits';
import { chooseLayout, edit, layout, resetLayout } from '../../../../src/app/workspace/store';
import { period } from '../../../../src/features/trading/settings';

beforeEach(() => {
  chooseLayout('four');
  resetLayout('four');
  maximised.value = undefined;
  lastUsed.value = 'chart-1';
});

const inUse = () => chartInUse(MAIN_AREA);

test('the toolbar acts on the chart used last, also after another panel was used', () => {
  expect(inUse()).toBe('chart-1');
  lastUsed.value = 'chart-3';
  lastUsed.value = 'ticket';
  expect(inUse()).toBe('chart-3');
});

test('a chart that is closed, behind another tab or behind a maximised one is not acted on', () => {
  lastUsed.value = 'chart-2';
  maximised.value = 'chart-4';
  expect(inUse()).toBe('chart-4');
  maximised.value = 'ticket';
  expect(inUse()).toBeUndefined();
  maximised.value = undefined;
  edit((now) => dockPanel(now, 'chart-3', { into: 'chart-2' }));
  edit((now) => activatePanel(now, 'chart-3'));
  expect(inUse()).toBe('chart-1');
  edit((now) => closePanel(now, 'chart-1'));
  expect(inUse()).toBe('chart-3');
});

test('a period is chosen for one chart: others keep theirs, new ones begin with it', () => {
  period.value = '5min';
  choosePeriod('chart-2', '60min');
  const periods = Object.entries(layout.value.panels).flatMap(([id, panel]) =>
    panel.kind === 'chart' ? [[id, panel.period]] : [],
  );
  expect(Object.fromEntries(periods)).toEqual({
    'chart-1': '5min',
    'chart-2': '60min',
    'chart-3': '5min',
    'chart-4': '5min',
  });
  expect(period.value).toBe('60min');
});
