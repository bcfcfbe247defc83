import { describe, expect, it } from 'vitest';
import { FEATURES, type Feature } from '#domain/api/features';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import { toLots } from '#domain/core/units';
import type { WorkerApi } from '#domain/worker/workerApi';
import { declaredEndpoints } from '../helpers/endpoints';
import { TestServer } from './support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from './support/testWorker';
import { TICKET } from './support/ticket';

const endpoints = declaredEndpoints.map(({ endpoint }) => endpoint);

/** The parameters that need a feature, as PATH PARAMETER. */
function parametersOf(feature: Feature): string[] {
  return endpoints.flatMap(({ path, effect, paramFeatures }) =>
    Object.entries({ ...paramFeatures, ...(effect === 'once' && { valid_until: 'deadlines' }) })
      .filter(([, needed]) => needed === feature)
      .map(([name]) => `${path} ${name}`),
  );
}

const ROWS = [instrumentRow(1, 'EURUSD')];
const key = (n: number) => `6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a${String(10 + n)}`;
const SEEN = { id: 1, lots: toLots('0.1') };
const QUERY = { sort: 'default', descending: false, favourites: [] } as const;
const PERIOD = { from: toUnixMs(0), until: toUnixMs(1) };
const UNTIL = toUnixMs(9e12);
const TERMS = { lots: '0.1', targetPrice: '1.06', stopLoss: '', takeProfit: '', trailing: '' };
const CANDLES = { instrumentId: 1, period: '1min' } as const;
const PICTURE = { bytes: new ArrayBuffer(1), type: 'image/png' };
const SUBSCRIPTION = { endpoint: 'https://push', keys: { p256dh: 'p', auth: 'a' } };
const CREDENTIAL = { id: 'a', rawId: 'a', type: 'public-key' } as const;
const ATTESTATION = { ...CREDENTIAL, response: { clientDataJSON: 'a', attestationObject: 'a' } };
const ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' },
};
const WRITE = { name: 'keys', base: 0, set: {}, del: [] };
const ALERT = {
  instrumentId: 1,
  price: '2',
  quote: '1',
  repeat: false,
  note: '',
  until: undefined,
};

/** Each call that a screen can make of the worker, but those of its start. */
const CALLS: {
  [Name in keyof Omit<WorkerApi, 'start' | 'sendFrames'>]: [...Parameters<WorkerApi[Name]>][];
} = {
  accountSettings: [[]],
  signIn: [[{ login_type: 'email', account: 'a@b.c', password: 'secret' }]],
  signInWithPasskey: [[{ response: ASSERTION }]],
  confirmSecondFactor: [['123456']],
  removeSecondFactor: [['123456']],
  signInDemo: [[]],
  register: [[{ type: 'email' }]],
  complaintEmail: [[]],
  uploadPicture: [[PICTURE, 'front']],
  cancelUpload: [['front']],
  verificationDraft: [[]],
  saveVerificationDraft: [[{ name: '', cardId: '' }]],
  alerts: [[false], [true]],
  addAlert: [
    [ALERT, key(1)],
    [{ ...ALERT, condition: { kind: 'margin', level: 100 } }, key(23)],
  ],
  deleteAlert: [[1, key(2)]],
  deviceAlerts: [[]],
  setTitleInstrument: [[1]],
  pushKey: [[]],
  addPush: [[SUBSCRIPTION, { kinds: ['alerts'], details: false }, 'key']],
  deletePush: [['https://push']],
  rows: [[QUERY, 0, 9]],
  rowIndex: [[QUERY, 'EURUSD']],
  row: [['EURUSD']],
  watchTopsOfBook: [[{ add: [1], remove: [] }, 'both']],
  refreshList: [[]],
  categories: [[]],
  sparklines: [[[1]]],
  loadOlder: [[CANDLES]],
  reloadCandles: [[CANDLES]],
  gridRows: [['grid', QUERY, 0, 9, false]],
  leaveGrid: [['grid']],
  columnValues: [[[1], []]],
  watchColumnValues: [[{ add: [], remove: [] }]],
  setTicket: [[{ ...TICKET, trailing: '0.01' }]],
  submit: [
    [{ ...TICKET, trailing: '' }, key(4)],
    [{ ...TICKET, stopLoss: '1', trailing: '0.01' }, key(5)],
    [{ ...TICKET, type: 'pending', targetPrice: '1.05', until: UNTIL }, key(22)],
  ],
  cancelOrder: [[2, key(8)]],
  amendOrder: [
    [2, { ...TERMS, trailing: '0.01', until: UNTIL }, key(20)],
    [2, TERMS, key(21)],
  ],
  setChange: [[{ id: 1 }], [{ id: 2, terms: TERMS }]],
  setExits: [
    [1, { stopLoss: '1', takeProfit: '', trailing: '0' }, key(11)],
    [1, { stopLoss: '1', takeProfit: '', trailing: '0.01' }, key(12)],
  ],
  orders: [
    ['pending', 0, 9],
    ['holding', 0, 9],
    ['closed', 0, 9],
  ],
  results: [[PERIOD]],
  statement: [[PERIOD]],
  ordersOf: [[1]],
  pastTrades: [[1, toUnixMs(0)]],
  refreshOrders: [[true]],
  refreshUser: [[]],
  watchOrders: [[{ add: [1], remove: [] }]],
  setOrderTime: [[toDurationMs(5000)]],
  dismissUnanswered: [['none']],
  api: [
    ['companies.companyList', { name: 'Ltd' }],
    ['mining.fundList', { page: 1 }],
    ['mining.fundInfo', { id: 1 }],
    ['mining.buyFund', { id: 1, amount: '500' }, { key: key(17) }],
    ['mining.subscriptionList', { page: 1 }],
    ['mining.incomeList', { sub_id: 1, page: 1 }],
    ['mining.redeemSubscription', { sub_id: 1 }, { key: key(18) }],
    ['news.newsList', { page: 1 }],
    ['news.newsArticle', { id: 1 }],
    ['ranking.traderList', { page: 1 }],
    ['ranking.popularList', {}],
    ['account.sendEmail', { to: 'a@b.c', type: 1 }],
    ['account.amendPassword', { type: 'email', old_password: 'secret' }],
    ['account.submitVerification', { name: 'A' }, { key: key(0) }],
    ['security.otpEnrol', {}],
    ['security.passkeyList', {}],
    ['security.passkeyOptions', { password: 'secret' }],
    ['security.addPasskey', { response: ATTESTATION }],
    ['security.deletePasskey', { id: 1, password: 'secret' }],
    ['security.passkeyLoginOptions', {}],
    ['security.deviceList', {}],
    ['security.endSession', { id: 1 }],
    ['security.exportData', { password: 'secret' }],
    ['settings.settingsChanges', { since: 0 }],
    ['settings.saveSettings', { ...WRITE, id: { device: key(30), number: 1 } }],
    ['wallet.depositList', { type: 0, page: 1 }],
    ['wallet.submitCoinDeposit', { number: '1', charge_id: 2 }, { key: key(13) }],
    ['wallet.submitWithdrawal', { number: '12.5', draw_method_id: 3 }, { key: key(14) }],
    ['wallet.addPayoutMethod', { type: 1, draw_id: 2 }, { key: key(15) }],
    ['wallet.deletePayoutMethod', { id: 1 }, { key: key(16) }],
  ],
  practice: [
    [{ do: 'start', instrumentId: 1, days: 1, day: toUnixMs(0), balance: '1000' }],
    [{ do: 'submit', ticket: TICKET }],
  ],
  watch: [[{ instruments: { add: [1], remove: [] } }]],
  retryNow: [[]],
  setVisible: [[true]],
  setOnline: [[true]],
  setFrozen: [[false]],
  setLanguage: [['de']],
  setDataSaver: [[false]],
  setFrameInterval: [[1]],
  traffic: [[false]],
  serverOrigin: [[]],
  ownDomains: [[]],
  closePart: [[SEEN, '0.05', key(7)]],
  reverseOrder: [[SEEN, '1.1', { close: key(9), open: key(10) }]],
  closeOrder: [[SEEN, key(6)]],
  resetDemo: [[key(3)]],
  closeAccount: [['secret']],
  signOut: [[]],
};

/** The names of the parameters in a form or a JSON object. */
function bodyNames(body = ''): string[] {
  if (body.startsWith('{')) return Object.keys(JSON.parse(body) as object);
  return [...new URLSearchParams(body).keys()];
}

/** The uses of a feature while every call of the worker is made of a server that lists `features`. */
async function uses(feature: Feature, features: readonly Feature[]): Promise<string[]> {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage });
  const { workerApi, server, clock, sockets } = worker;
  const testServer = new TestServer(worker, ROWS);
  testServer.deadlines = false;
  testServer.features = [...features];
  testServer.open({ forex_id: '1', status: '1', cont: '0.1', target_price: '1.05' });
  testServer.open({ forex_id: '1', status: '0', cont: '0.1', target_price: '1.05' });
  worker.start();
  await clock.advance(10_000);
  for (const [name, argumentLists] of Object.entries(CALLS)) {
    for (const list of argumentLists) {
      const call = workerApi[name as keyof WorkerApi] as (...list: readonly unknown[]) => unknown;
      void call(...list);
      await clock.advance(100);
    }
  }
  await clock.advance(10_000);
  sockets.last.drop();
  await clock.advance(10_000);
  const parameters = parametersOf(feature);
  const used = server.asked.flatMap(({ path, params, body, headers }) => {
    const names = [...Object.keys(params), ...bodyNames(body)];
    return [
      ...endpoints.filter((one) => one.path === path && one.feature === feature).map(() => path),
      ...names.map((name) => `${path} ${name}`).filter((one) => parameters.includes(one)),
      ...(feature === 'request_id' && headers['x-request-id'] ? ['x-request-id'] : []),
    ];
  });
  const compact = sockets.all.flatMap(({ sent }) => sent.filter((one) => 'compact' in one));
  if (feature === 'compact') return compact.map(() => 'compact');
  if (feature === 'sub_url')
    return sockets.all.map(({ url }) => url).filter((url) => /\?sub=/.test(url));
  return used;
}

/** Nothing asks for a part that is a field of an answer; the screen that reads it has its test. */
const ANSWERED = ['hours', 'swap'];
const ASKED = FEATURES.filter((feature) => !ANSWERED.includes(feature));

describe.each(ASKED)('the part %s of the protocol', (feature) => {
  it('is not used where the server does not list it, whatever a screen asks for', async () => {
    const others = FEATURES.filter((other) => other !== feature);
    expect(await uses(feature, others)).toEqual([]);
  });

  it('is used, each of its calls and parameters, where the server lists it', async () => {
    const used = new Set(await uses(feature, FEATURES));
    const paths = endpoints.filter((one) => one.feature === feature).map(({ path }) => path);
    const parameters = feature === 'deadlines' ? [] : parametersOf(feature);
    expect([...used]).toEqual(expect.arrayContaining([...paths, ...parameters]));
    expect(used.size).toBeGreaterThan(0);
  });
});

it('a part of an order is not closed, and no stop-loss follows, and no order expires, where the server would do something else', async () => {
  const worker = createTestWorker(ROWS);
  const testServer = new TestServer(worker, ROWS);
  testServer.features = [];
  testServer.open({ forex_id: '1', status: '1', cont: '0.1', target_price: '1.05' });
  worker.start();
  await worker.clock.advance(10_000);
  const { workerApi } = worker;
  const results = Promise.all([
    workerApi.closePart(SEEN, '0.05', key(0)),
    workerApi.submit({ ...TICKET, trailing: '0.01' }, key(1)),
    workerApi.setExits(1, { stopLoss: '1', takeProfit: '', trailing: '0.01' }, key(2)),
    workerApi.submit({ ...TICKET, type: 'pending', targetPrice: '1.05', until: UNTIL }, key(3)),
  ]);
  await worker.clock.advance(1000);
  const refused = { ok: false, failure: { kind: 'invalid', message: { key: 'notOffered' } } };
  expect(await results).toEqual([refused, refused, refused, refused]);
  expect(testServer.executed.size).toBe(0);
});
