import { fireEvent, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeAll, expect, test } from 'vitest';
import type { AccountSettings } from '#domain/account/settings';
import type { Feature } from '#domain/api/features';
import { success } from '#domain/core/result';
import { DAY_MS, toUnixMs } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import { INDICATOR_KINDS, INDICATORS } from '#domain/indicators/catalogue';
import type { Alert } from '#domain/trading/alert';
import type { Condition, IndicatorCondition } from '#domain/trading/condition';
import type { AlertForm as Asked } from '#domain/worker/alerts';
import { AlertForm } from '../../../src/alerts/AlertForm';
import { showLanguage } from '../../../src/i18n/i18n';
import { queries } from '../../../src/requests/queries';
import { renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

beforeAll(() => showLanguage('en'));

const UNTIL = toUnixMs(Date.UTC(2100, 0, 1));
const ALERT: Alert = {
  condition: { kind: 'price' },
  ...{ id: 7, code: 'CODE71', name: 'Name 71', precision: 5, price: toPrice('1.2'), above: true },
  ...{ repeat: true, note: 'Break-out', until: UNTIL, createdAt: toUnixMs(1) },
  ...{ triggeredAt: undefined, triggerPrice: toPrice('0') },
};

/** The form of an alert, and what it has asked the worker for. */
async function shown(
  price: string,
  former?: Alert,
  features: Feature[] = [],
  condition?: Condition,
) {
  const worker = scriptWorkerApi([listRow(71)]);
  const settings = { features } as unknown as AccountSettings;
  worker.scripted.accountSettings = async () => success(settings);
  queries.clear();
  worker.scripted.addAlert = async () => success({ data: ALERT, text: '' });
  worker.scripted.deleteAlert = async () => success({ data: null, text: '' });
  let done = 0;
  await renderSettled(
    <MemoryRouter>
      <AlertForm
        row={listRow(71)}
        wish={{ screen: '/trade', code: 'CODE71', price, former, condition }}
        onDone={() => done++}
      />
    </MemoryRouter>,
  );
  const field = (name: string) =>
    document.querySelector<HTMLInputElement>(`[name=${name}]`) as HTMLInputElement;
  return {
    field,
    scripted: worker.scripted,
    done: () => done,
    asked: () =>
      worker.calls.flatMap(({ method, args }) => (method === 'addAlert' ? [args[0] as Asked] : [])),
    deleted: () =>
      worker.calls.flatMap(({ method, args }) => (method === 'deleteAlert' ? [args[0]] : [])),
    async send() {
      fireEvent.submit(document.querySelector('form') as HTMLFormElement);
      await settle();
    },
  };
}

test('a new alert begins at the present price, and says what the user saw', async () => {
  const form = await shown('');
  expect(form.field('price').value).toBe('1.10000');
  fireEvent.change(form.field('price'), { target: { value: '1.15' } });
  await form.send();
  expect(form.asked()).toEqual([
    {
      ...{ instrumentId: 71, price: '1.15', quote: '1.10000', repeat: false, note: '' },
      until: undefined,
    },
  ]);
  expect(form.done()).toBe(1);
});

test('a price that is none is refused beside the field', async () => {
  const form = await shown('');
  for (const value of ['x', '0', '1.000001']) {
    fireEvent.change(form.field('price'), { target: { value } });
    await form.send();
    expect(form.field('price').getAttribute('aria-invalid')).toBe('true');
  }
  expect(form.asked()).toEqual([]);
});

test('a price far from the market is refused beside the field, and one within ten times is not', async () => {
  const form = await shown('');
  for (const value of ['11.00001', '0.10999', '5500']) {
    fireEvent.change(form.field('price'), { target: { value } });
    await form.send();
    expect(form.field('price').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(/more than ten times the market price/)).toBeDefined();
  }
  expect(form.asked()).toEqual([]);
  for (const value of ['11', '0.11']) {
    fireEvent.change(form.field('price'), { target: { value } });
    await form.send();
  }
  expect(form.asked().map(({ price }) => price)).toEqual(['11', '0.11']);
});

test('a changed alert keeps its end, unless another is chosen, and replaces the former one', async () => {
  const form = await shown('1.2', ALERT);
  await form.send();
  expect(form.asked()).toMatchObject([
    { price: '1.2', repeat: true, note: 'Break-out', until: UNTIL },
  ]);
  expect(form.deleted()).toEqual([7]);
  fireEvent.change(form.field('until'), { target: { value: '0' } });
  await form.send();
  expect(form.asked()[1]?.until).toBeUndefined();
  expect(screen.getByRole('checkbox')).toHaveProperty('checked', true);
  fireEvent.change(form.field('until'), { target: { value: '7' } });
  await form.send();
  expect(form.asked()[2]).toMatchObject({ until: undefined, lasting: 7 * DAY_MS });
});

test('while the former alert is being deleted, another tap sets no second one', async () => {
  const form = await shown('1.2', ALERT);
  form.scripted.deleteAlert = () => new Promise(() => {});
  await form.send();
  await form.send();
  expect(form.asked()).toHaveLength(1);
  expect(form.done()).toBe(0);
  expect(screen.getByRole('button', { name: /Sending/ })).toBeDefined();
});

test('the form of an indicator asks for what is chosen, and refuses numbers that are none', async () => {
  const form = await shown('', undefined, ['alerts', 'conditions']);
  fireEvent.change(form.field('kind'), { target: { value: '1' } });
  fireEvent.change(form.field('level'), { target: { value: 'x' } });
  await form.send();
  expect(form.field('level').getAttribute('aria-invalid')).toBe('true');
  fireEvent.change(form.field('level'), { target: { value: '70' } });
  fireEvent.change(form.field('cross'), { target: { value: '0' } });
  await form.send();
  expect(form.asked()).toMatchObject([
    {
      instrumentId: 71,
      condition: {
        ...{ kind: 'indicator', name: 'rsi', settings: [14], output: 'rsi', period: '60min' },
        ...{ level: 70, cross: 'up' },
      },
    },
  ]);
});

const type = (field: HTMLInputElement | null, value: string) =>
  fireEvent.change(field as HTMLInputElement, { target: { value } });
/** Chooses by what is shown. */
const choose = (field: HTMLInputElement, label: string) => {
  const options = [...(field as unknown as HTMLSelectElement).options];
  type(field, options.find(({ text }) => text === label)?.value ?? `no ${label}`);
};

test('the settings of an indicator are edited, and wrong ones are not sent', async () => {
  const form = await shown('', undefined, ['alerts', 'conditions']);
  choose(form.field('kind'), 'Indicator');
  choose(form.field('indicator'), 'BB 20 2 Upper band');
  type(form.field('length'), '34');
  type(form.field('deviations'), '2.5');
  const { selectedOptions } = form.field('indicator') as unknown as HTMLSelectElement;
  expect(selectedOptions[0]?.text).toBe('BB 34 2.5 Upper band');
  for (const wrong of ['', '1', '501', '2.5', 'x']) {
    type(form.field('length') ?? form.field('settings'), wrong);
    await form.send();
    expect(form.field('settings').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(form.field('settings'));
  }
  expect(form.asked()).toEqual([]);
  type(form.field('settings'), '50');
  await form.send();
  expect(form.asked()).toMatchObject([
    { condition: { name: 'bollinger', settings: [50, 2.5], output: 'upper', other: 'price' } },
  ]);
});

test('of two wrong sets of settings the first takes the focus', async () => {
  const form = await shown('', undefined, ['alerts', 'conditions']);
  choose(form.field('kind'), 'Indicator');
  choose(form.field('indicator'), 'SMA 20');
  choose(form.field('against'), 'EMA 20');
  for (const length of document.querySelectorAll<HTMLInputElement>('[name=length]'))
    type(length, '');
  await form.send();
  const wrong = document.querySelectorAll('[name=settings]');
  expect(wrong).toHaveLength(2);
  expect(document.activeElement).toBe(wrong[0]);
});

test('numbers that may be below zero are typed on a keyboard that has a minus', async () => {
  const form = await shown('', undefined, ['alerts', 'conditions']);
  expect(form.field('price').inputMode).toBe('decimal');
  choose(form.field('kind'), 'Change in percent');
  expect(form.field('change').inputMode).toBe('text');
  choose(form.field('kind'), 'Indicator');
  choose(form.field('indicator'), 'MACD 12 26 9 MACD');
  choose(form.field('against'), 'Value');
  expect(form.field('level').inputMode).toBe('text');
});

test('a line of the same indicator keeps its settings, another one has its own', async () => {
  const form = await shown('', undefined, ['alerts', 'conditions']);
  choose(form.field('kind'), 'Indicator');
  choose(form.field('indicator'), 'MACD 12 26 9 MACD');
  choose(form.field('against'), 'MACD 12 26 9 Signal');
  type(form.field('slow'), '30');
  const { selectedOptions } = form.field('against') as unknown as HTMLSelectElement;
  expect(selectedOptions[0]?.text).toBe('MACD 12 30 9 Signal');
  await form.send();
  choose(form.field('indicator'), 'SMA 20');
  type(form.field('length'), '50');
  choose(form.field('against'), 'SMA 20');
  const [own, other] = [...document.querySelectorAll<HTMLInputElement>('[name=length]')];
  // On the way it is as the first one, and stays.
  for (const value of ['50', '500', '200']) type(other ?? null, value);
  expect(own?.value).toBe('50');
  await form.send();
  const macd = { name: 'macd', settings: [12, 30, 9] };
  expect(form.asked().map(({ condition }) => condition)).toMatchObject([
    { ...macd, output: 'macd', other: { ...macd, output: 'signal' } },
    { name: 'sma', settings: [50], other: { name: 'sma', settings: [200], output: 'average' } },
  ]);
});

test.each(INDICATOR_KINDS)(
  'an alert on %s is changed with the settings that it has',
  async (name) => {
    const { parameters, lines } = INDICATORS[name];
    const settings = parameters.map(({ usual, decimals }) =>
      Number((usual + (decimals > 0 ? 0.1 : 1)).toFixed(decimals)),
    );
    const condition: IndicatorCondition = {
      ...{ kind: 'indicator', name, settings, output: lines[0] ?? 'average', period: '5min' },
      ...{ level: 1.5, other: undefined, cross: 'down' },
    };
    const form = await shown('', { ...ALERT, condition }, ['alerts', 'conditions'], condition);
    await form.send();
    expect(form.asked().map((asked) => asked.condition)).toEqual([condition]);
    const first = parameters[0];
    if (!first) return;
    fireEvent.keyDown(form.field(first.name), { key: 'ArrowUp' });
    await form.send();
    const stepped = Number((settings[0] ?? 0) + 10 ** -first.decimals).toFixed(first.decimals);
    expect(form.asked()[1]?.condition).toMatchObject({
      settings: settings.with(0, Number(stepped)),
    });
  },
);

test('an alert on a value that is written with an exponent keeps it', async () => {
  const condition: IndicatorCondition = {
    ...{ kind: 'indicator', name: 'macd', settings: [12, 26, 9], output: 'histogram' },
    ...{ period: '5min', level: -5e-7, other: undefined, cross: 'any' },
  };
  const form = await shown('', { ...ALERT, condition }, ['alerts', 'conditions'], condition);
  expect(form.field('level').value).toBe('-0.0000005');
  await form.send();
  expect(form.asked().map((asked) => asked.condition)).toEqual([condition]);
});

test('an indicator of the chart begins as it is usually compared', async () => {
  const bell: Condition = {
    ...{ kind: 'indicator', name: 'bollinger', settings: [30, 1.5], output: 'upper' },
    ...{ period: '5min', level: undefined, other: undefined, cross: 'any' },
  };
  const form = await shown('', undefined, ['alerts', 'conditions'], bell);
  await form.send();
  expect(form.asked().map(({ condition }) => condition)).toEqual([{ ...bell, other: 'price' }]);
});

test('where the server has no conditions, an alert is on a price', async () => {
  const form = await shown('');
  expect(form.field('kind')).toBeNull();
});
