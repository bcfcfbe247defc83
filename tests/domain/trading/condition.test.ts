import { expect, it } from 'vitest';
import { LATEST_MS, toUnixMs } from '#domain/core/time';
import {
  type Condition,
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
])('is read as it is written: %o', (condition) => {
  expect(parseCondition(condition.kind, conditionParams(condition))).toEqual(condition);
});

it.each([
  ['mystery', '{}'],
  ['__proto__', '{}'],
  ['margin', ''],
  ['margin', '[100]'],
  ['margin', '{"level":"100"}'],
  ['margin', `{"level":100,"x":"${'x'.repeat(LONGEST_PARAMS)}"}`],
  ['percent', '{"change":null,"window":"day"}'],
  [
    'indicator',
    '{"name":"ichimoku","settings":[9,26,52,26],"output":"lagging","period":"1min","level":1,"cross":"up"}',
  ],
])('nobody watches %s %s', (kind, params) => {
  expect(parseCondition(kind, params)).toBeUndefined();
});
