import { expect, it } from 'vitest';
import { LATEST_MS, toUnixMs } from '#domain/core/time';
import {
  type Condition,
  changedPrice,
  conditionParams,
  type LineCondition,
  LONGEST_PARAMS,
  linePrice,
  parseCondition,
} from '#domain/trading/condition';

const LINE: LineCondition = {
  ...{ kind: 'line', t1: toUnixMs(1000), p1: 100, t2: toUnixMs(3000), p2: 400 },
  ...{ scale: 'linear', extend: 'none' },
};

const at = (time: number, more: Partial<LineCondition> = {}) =>
  linePrice({ ...LINE, ...more }, toUnixMs(time));

it('is straight on its axis, whichever point comes first', () => {
  expect([at(1000), at(2000), at(3000)]).toEqual([100, 250, 400]);
  expect(at(2000, { scale: 'log' })).toBeCloseTo(200, 10);
  const turned = { t1: LINE.t2, p1: LINE.p2, t2: LINE.t1, p2: LINE.p1 };
  expect([at(1000, turned), at(2000, turned)]).toEqual([100, 250]);
});

it('goes on where it is extended, and has no price where that is none', () => {
  expect([at(999), at(3001)]).toEqual([undefined, undefined]);
  expect([at(4000, { extend: 'right' }), at(999, { extend: 'right' })]).toEqual([550, undefined]);
  expect([at(500, { extend: 'left' }), at(3001, { extend: 'left' })]).toEqual([25, undefined]);
  expect(at(0, { extend: 'both' })).toBeUndefined();
  expect(at(LATEST_MS, { extend: 'both', scale: 'log', p2: 1e12 })).toBeUndefined();
});

it.each<Condition>([
  { kind: 'price' },
  LINE,
  { ...LINE, t2: LATEST_MS, scale: 'log', extend: 'both' },
  { kind: 'percent', change: -2.5, window: 'hour' },
  { kind: 'margin', level: 100 },
  {
    ...{ kind: 'indicator', name: 'macd', settings: [12, 26, 9], output: 'macd', period: '240min' },
    ...{ level: undefined, cross: 'any' },
    other: { name: 'macd', settings: [12, 26, 9], output: 'signal' },
  },
])('is read as it is written, with numbers as text too: %o', (condition) => {
  const params = conditionParams(condition);
  expect(parseCondition(condition.kind, params)).toEqual(condition);
  const texts = params.replace(/(?<=[:[,])-?[\d.]+/g, '"$&"');
  expect(parseCondition(condition.kind, texts)).toEqual(condition);
});

const SMA = (more: string) =>
  `{"name":"sma","settings":[9],"output":"average","period":"1min","cross":"up",${more}}`;

it('is read up to the longest text', () => {
  const level = '{"level":100}'.padEnd(LONGEST_PARAMS);
  expect(parseCondition('margin', level)).toEqual({ kind: 'margin', level: 100 });
  expect(parseCondition('margin', `${level} `)).toBeUndefined();
  expect(parseCondition('indicator', SMA('"level":1'))).toMatchObject({ level: 1 });
});

it('is a share of the price at which the window opened', () => {
  const change = (percent: number) =>
    changedPrice({ kind: 'percent', change: percent, window: 'day' }, 200);
  expect([change(5), change(-50)]).toEqual([210, 100]);
});

it.each([
  ['mystery', '{}'],
  ['__proto__', '{}'],
  ['margin', ''],
  ['margin', '[100]'],
  ['margin', '{"level":""}'],
  ['margin', '{"level":" 1"}'],
  ['margin', '{"level":"1e"}'],
  ['margin', '{"level":"Infinity"}'],
  ['margin', `{"level":100,"x":"${'x'.repeat(LONGEST_PARAMS)}"}`],
  ['percent', '{"change":null,"window":"day"}'],
  ['percent', '{"change":-100,"window":"day"}'],
  [
    'indicator',
    '{"name":"ichimoku","settings":[9,26,52,26],"output":"lagging","period":"1min","level":1,"cross":"up"}',
  ],
  ['indicator', SMA('"other":5')],
  ['indicator', SMA('"level":1,"other":5')],
  ['indicator', SMA('"level":"1","other":"price"')],
  ['indicator', SMA('"level":1,"other":"price"')],
  ['indicator', SMA('"level":1').replace('[9]', '[""]')],
  ['line', conditionParams({ ...LINE, t1: toUnixMs(1000.5) })],
  ['line', conditionParams({ ...LINE, t2: toUnixMs(3000.5) })],
  ['line', conditionParams({ ...LINE, t2: LINE.t1 })],
])('nobody watches %s %s', (kind, params) => {
  expect(parseCondition(kind, params)).toBeUndefined();
});
