import type { SeededRandom } from '../workers/simulation/seededRandom';

/** What a user may trade, at the present moment. */
export interface TradedInstrument {
  id: number;
  price: number;
  /** Of its prices. */
  digits: number;
  /** A distance that prices pass now and then. */
  point: number;
}

interface RandomCall {
  path: string;
  params: Record<string, string | number>;
  /** Whether it changes anything: it has a key then. */
  changes: boolean;
}

const LOTS = ['0.01', '0.02', '0.4'];
const FAR = 6;

/** An order of the user, open or not. */
export interface PlacedOrder {
  id: number;
  instrument: number;
  side: number;
}

/** A call that a user may make, most often one that is carried out. `orders`: those of the user. */
export function randomCall(
  random: SeededRandom,
  instruments: readonly TradedInstrument[],
  orders: readonly PlacedOrder[],
  now: number,
): RandomCall {
  const nothing = { id: 0, instrument: random.pick(instruments).id, side: 1 };
  const order = orders.length > 0 ? random.pick(orders.slice(-FAR)) : nothing;
  const { id } = order;
  const isNew = random.chance(0.4);
  const listed = instruments.find((each) => !isNew && each.id === order.instrument);
  const { id: forex_id, price, digits, point } = listed ?? random.pick(instruments);
  const near = (points: number, from = price) => (from + points * point).toFixed(digits);
  const target = near(random.between(-FAR, FAR));
  const until: RandomCall['params'] = random.chance(0.3)
    ? { until: now + random.between(1, 8) * 1000 }
    : {};
  const exits = (side: number, from: number) => ({
    ...(random.chance(0.4) && { stop_loss_price: near(-FAR * side, from) }),
    ...(random.chance(0.4) && { target_profit_price: near(FAR * side, from) }),
    ...(random.chance(0.1) && { trailing: near(4, 0) }),
  });
  const change = (name: string, params: RandomCall['params']) => ({
    ...{ path: `/v1/api/forex/${name}`, params, changes: true },
  });
  const read = (path: string, params = {}) => ({ path, params, changes: false });
  const submit = () => {
    const type = random.between(1, 2);
    const side = type === 1 ? 1 : -1;
    const wanted = { type, forex_id, cont: random.pick(LOTS), multiple: 100 };
    const isPending = random.chance(0.5);
    const terms = isPending ? { status: 0, target_price: target, ...until } : { status: 1 };
    return change('submit', { ...wanted, ...terms, ...exits(side, isPending ? +target : price) });
  };
  const drawn: (() => RandomCall)[] = [
    () => change('close', { id }),
    () => change('close', { id, cont: '0.01' }),
    () => change('cancel_trade', { id }),
    () => change('amend', { id, cont: random.pick(LOTS), target_price: target, ...until }),
    () => change('set_stop_price', { id, ...exits(order.side === 1 ? 1 : -1, price) }),
    () => change('set_stop_price', { id, ...exits(order.side === 1 ? 1 : -1, price) }),
    () => read('/v1/api/main/account/forexDetail'),
    () => read('/v1/api/main/wallet/getBalance'),
    () => read('/v1/api/main/accountLog/forexChange', { limit: 500 }),
    () => read('/v1/api/forex/my_deal', { status: random.pick([0, 1, 3]), limit: 500 }),
    () => read('/v1/api/forex/my_deal', { status: random.pick([0, 1, 3]), limit: 500 }),
  ];
  if (random.chance(0.01))
    return { path: '/v1/api/main/user/resetForexDemoAccount', params: {}, changes: true };
  if (isNew) return submit();
  return random.pick(drawn)();
}

/** All that shows what has become of an account, to be read in the end. */
export const LAST_READS: readonly string[] = [
  ...[0, 1, 3].map((status) => `/v1/api/forex/my_deal?status=${status}&limit=500`),
  '/v1/api/main/account/forexDetail',
  '/v1/api/main/wallet/getBalance',
  '/v1/api/main/accountLog/forexChange?limit=500',
];
