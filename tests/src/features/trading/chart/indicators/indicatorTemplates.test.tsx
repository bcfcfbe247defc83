import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import BarMenus from '../../../../../../src/features/trading/chart/chartTypes/BarMenus';
import { IndicatorsSlot } from '../../../../../../src/features/trading/chart/indicators/IndicatorsSlot';
import { IndicatorTemplates } from '../../../../../../src/features/trading/chart/indicators/IndicatorTemplates';
import {
  readTemplates,
  templates,
} from '../../../../../../src/features/trading/chart/indicators/templates';
import { LiveChart } from '../../../../../../src/features/trading/chart/liveChart';
import { showLanguage } from '../../../../../../src/i18n/i18n';
import {
  addIndicator,
  changeIndicator,
  chosen,
} from '../../../../../../src/instruments/indicatorSettings';
import { renderSettled } from '../../../../rendering';
import { EURUSD } from '../../../sampleOrder';

vi.mock('../../../../../../src/features/trading/chart/lazyParts', () => ({
  Indicators: () => <p>Indicators of a chart</p>,
}));

beforeEach(async () => {
  chosen.value = [];
  templates.value = [];
  await showLanguage('en');
});

const names = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const add = (kind: 'sma' | 'rsi') => act(async () => void addIndicator(kind));

test('the chosen indicators are saved together, chosen again and deleted', async () => {
  const { container } = await renderSettled(<IndicatorTemplates />);
  expect(container.textContent).toBe('');
  await add('sma');
  await press('Save as template');
  // Saved once: nothing is left to save.
  expect(screen.queryByRole('button', { name: 'Save as template' })).toBeNull();
  await add('rsi');
  await press('Save as template');
  const [both = '', first = ''] = names() as string[];
  expect([both, first]).toEqual(['SMA 20 · RSI 14', 'SMA 20']);
  await press(first);
  expect(chosen.value.map(({ kind }) => kind)).toEqual(['sma']);
  await press(both);
  expect(chosen.value.map(({ kind }) => kind)).toEqual(['sma', 'rsi']);
  await press(`Delete template: ${first}`);
  expect(names()).toEqual([both]);
});

test('a template is saved anew with other colours of its lines', async () => {
  await renderSettled(<IndicatorTemplates />);
  await add('sma');
  await press('Save as template');
  const id = chosen.value[0]?.id ?? 0;
  await act(async () => changeIndicator(id, { colours: ['gold'] }));
  await press('Save as template');
  expect(templates.value).toEqual([chosen.value]);
  expect(screen.queryByRole('button', { name: 'Save as template' })).toBeNull();
});

test('a toolbar chooses a saved template, which a chart without indicators shows, and has no menu of none', async () => {
  const live = new LiveChart(async () => success(undefined));
  await renderSettled(
    <>
      <BarMenus />
      <IndicatorsSlot live={live} instrument={EURUSD} period="1min" />
    </>,
  );
  expect(screen.queryByRole('button', { name: 'Templates' })).toBeNull();
  const template = [
    { id: 1, kind: 'rsi', parameters: [14], colours: ['purple'], hidden: false } as const,
  ];
  await act(async () => {
    templates.value = [template];
  });
  expect(screen.queryByText('Indicators of a chart')).toBeNull();
  await press('Templates');
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'RSI 14' }));
  expect(chosen.value).toEqual(template);
  expect(screen.getByText('Indicators of a chart')).toBeDefined();
});

test.each([
  ['NaN', Number.NaN],
  ['no number', null],
  ['an endless number', Number.POSITIVE_INFINITY],
  ['half a bar', 1.5],
  ['a million bars', 1e6],
  ['a script', '<script>alert(1)</script>'],
])('a template with %s in it loses that indicator, and keeps the others', (_what, length) => {
  const sma = { id: 1, kind: 'sma', parameters: [length], colours: ['blue'], hidden: false };
  const rsi = { ...sma, id: 2, kind: 'rsi', parameters: [14] };
  expect(readTemplates([[sma, rsi], [sma]])).toEqual([[rsi]]);
});
