import { describe, expect, it } from 'vitest';
import { setting } from '#domain/api/account';
import { alert } from '#domain/api/alerts';
import { flag } from '#domain/api/fields';
import { buyFund, fundInfo } from '#domain/api/mining';
import { readInstrument } from '#domain/api/read-market';
import { parse } from '#domain/api/schema';
import { deviceList } from '#domain/api/security';
import { order } from '#domain/api/trading';
import { userInfo } from '#domain/api/user';

const MARGIN = { Id: 1, Kind: 'margin', Params: '{"level":100}' };
const FUND = {
  id: 3,
  title: 'Fund',
  image: '/a.png',
  currency_code: 'USDT',
  lock_dividend_days: 7,
  dividend_percentage: '0.5',
  staring_sub_amount: '100',
  max_sub_amount: '0',
  desc: '',
  liquidated_damages: '5',
};
const ORDER = {
  Id: 41,
  ForexTradeLists: { Id: 7, Code: 'EURUSD', ShowCode: 'EUR/USD', PricePrecision: 5 },
  OrderType: 1,
  Quantity: '0.10',
  Multiple: '100',
  OriginPrice: '1.1',
  Price: '1.1',
  UpdatePrice: '1.101',
  FactProfits: '9',
  CautionMoney: '110.01',
  TradeFee: '0.50',
  TargetLossPrice: '1.09',
  TargetProfitPrice: '1.2',
  Trailing: '0.01',
  Status: 1,
  CreateTimeHandler: '2026-01-31T08:00:00.000Z',
  CompleteTimeHandler: '',
  CloseReason: '',
};

/** Rows of the wire, their reader, and what must be known of them; all other fields are optional. */
const ROWS: readonly [
  name: string,
  read: (row: unknown) => unknown,
  row: Readonly<Record<string, unknown>>,
  known: readonly string[],
][] = [
  [
    'an instrument',
    (row) => readInstrument(row),
    {
      Id: 1,
      Code: 'EURUSD',
      ShowCode: 'EUR/USD',
      Logo: '/a.png',
      CategoryId: 1,
      PricePrecision: 5,
      Pip: '0.01',
      ForexMinCont: '0.01',
      ForexContNum: '100000',
      MarginMode: 2,
      HasForexMultiple: [{ Value: '100' }],
      ForexFeeRate: '0.1',
      MarketStatus: 1,
      NextOpen: '',
      ClosedReason: '',
      ForexQuotations: { Close: '1.1', Open: '1', Change: '10', Time: 1000 },
    },
    [
      'Id',
      'Code',
      'PricePrecision',
      'Pip',
      'ForexMinCont',
      'ForexContNum',
      'MarginMode',
      'ForexFeeRate',
    ],
  ],
  [
    'the quote of an instrument',
    (quote) =>
      readInstrument({
        ...{ Id: 1, Code: 'EURUSD', PricePrecision: 5, Pip: '0.01', ForexMinCont: '0.01' },
        ...{ ForexContNum: '1', MarginMode: 2, ForexFeeRate: '0', ForexQuotations: quote },
      }),
    { Close: '1.1', Open: '1', Change: '10', Time: 1000 },
    [],
  ],
  [
    'an order',
    (row) => parse(order, row),
    ORDER,
    ['Id', 'ForexTradeLists', 'OrderType', 'Quantity', 'Price', 'CautionMoney', 'Status'],
  ],
  [
    'the instrument of an order',
    (row) => parse(order, { ...ORDER, ForexTradeLists: row }),
    ORDER.ForexTradeLists,
    [],
  ],
  [
    'an alert',
    (row) => parse(alert, row),
    {
      ...{ Id: 1, Code: 'EURUSD', Price: '1.1', Above: 1, Repeat: 0, Note: '', Until: 5 },
      ...{ CreatedAt: 5, TriggeredAt: 0, TriggerPrice: '0' },
    },
    ['Id', 'Code', 'Price'],
  ],
  [
    'an alert on the margin',
    (row) => parse(alert, { ...(row as object), ...MARGIN }),
    { Code: '', Price: '', Above: 0, Repeat: 0, Note: '', Until: 5, CreatedAt: 5 },
    [],
  ],
  [
    'a fund',
    (row) => parse(fundInfo.answer, row),
    FUND,
    ['id', 'lock_dividend_days', 'dividend_percentage', 'liquidated_damages'],
  ],
  [
    'a subscription',
    (row) => parse(buyFund.answer, row),
    {
      ...{ id: 1, status: 1, share_amount: '100', sub_time: '', end_time: '', reason: '' },
      ...{ day_profit: '1', sum_profit: '2', get_fund: FUND },
    },
    ['id', 'status', 'share_amount', 'get_fund'],
  ],
];

const UNREADABLE = ['', '--', '+0.1%', 'NaN', '1e999', {}, [], Number.NaN];

describe.each(ROWS)('%s', (_name, read, row, known) => {
  it('is read as without an optional field that has no meaning', () => {
    for (const name of Object.keys(row).filter((field) => !known.includes(field))) {
      const { [name]: _absent, ...without } = row;
      const isText = typeof row[name] === 'string' && Number.isNaN(Number(row[name]));
      for (const value of UNREADABLE) {
        const got = read({ ...row, [name]: value });
        if (isText || row[name] === '') expect([name, value, got]).not.toContain(undefined);
        else expect([name, value, got]).toEqual([name, value, read(without)]);
      }
    }
  });

  it('is dropped without what must be known', () => {
    for (const name of known) {
      const { [name]: _absent, ...without } = row;
      // A missing penalty is none.
      if (name !== 'liquidated_damages') expect([name, read(without)]).toEqual([name, undefined]);
      expect([name, read({ ...row, [name]: [] })]).toEqual([name, undefined]);
    }
  });
});

it.each([
  [1, true],
  ['1', true],
  [true, true],
  [0, false],
  ['0', false],
  [false, false],
  [2, false],
  ['', undefined],
  [null, undefined],
])('a flag that is sent as %j is %s wherever it stands', (sent, known) => {
  const user = { id: 1, uid: '', email: '', mobile: '', is_demo: sent, otp: sent };
  expect(parse(flag, sent)).toBe(known ?? false);
  expect(parse(userInfo.answer, user)).toMatchObject({ demo: known ?? false });
  expect(parse(userInfo.answer, user)?.secondFactor).toBe(known);
  expect(parse(setting.answer, { key: 'a', value: sent })).toBe(known);
  expect(parse(deviceList.answer, [{ id: 1, current: sent }])?.[0]?.current).toBe(known ?? false);
});

it('an alert without a kind, or with an empty one, is on a price', () => {
  const row = { Id: 1, Code: 'EURUSD', Price: '1.1' };
  for (const kind of [{}, { Kind: '' }, { Kind: 'price', Params: '' }]) {
    expect(parse(alert, { ...row, ...kind })?.condition).toEqual({ kind: 'price' });
  }
});
