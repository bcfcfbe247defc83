import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { problemsOf } from '../../tests/histories/checkHistory';
import { Recorder } from '../../tests/histories/history';
import { LAST_READS } from '../../tests/histories/randomCalls';
import { Histogram, type Quantiles } from './histogram';
import { RawHttp } from './rawHttp';
import type { LoadedServer } from './server';

export interface OrderLoad {
  /** Demo users that each send one call after the other. */
  users: number;
  /** Not counted: the first seconds of a server are those of its compilers. */
  warmUpSeconds: number;
  seconds: number;
  /** Time between two calls of a user, ms; otherwise each follows the answer to the one before. */
  everyMs?: number;
}

export interface OrderResult {
  /** Orders that were placed or closed, a second. */
  perSecond: number;
  calls: number;
  refused: number;
  /** From sending to the answer, ms. */
  latency: Quantiles;
  cores: number;
  /** CPU time of the server for a call, ms. */
  cpuPerOrder: number;
  memoryMb: number;
}

interface Envelope {
  code: number;
  msg: string;
  data: unknown;
}

/** What takes the orders: a server, or a cluster, whose usage is that of its engines. */
export type OrderTaker = Pick<LoadedServer, 'port' | 'usage'>;

/** Answers that say nothing of what becomes of a call. */
const NOT_KNOWN: readonly number[] = [409, 503];
/** What a demo account begins with, USD. */
const BALANCE = '100000';

/**
 * Users who open a position at the market and close it, again and again, each call with a key of its own. Fails where what
 * they were answered, and what they read in the end, is the history of no right server.
 */
export async function loadOrders(server: OrderTaker, load: OrderLoad): Promise<OrderResult> {
  const call = async (
    connection: RawHttp,
    path: string,
    headers?: Record<string, string>,
  ): Promise<Envelope> => JSON.parse(await connection.get(path, headers));

  const visitor = await RawHttp.open(server.port);
  const { data } = (await call(visitor, '/v1/api/forex/trade_list')) as unknown as {
    data: {
      Id: number;
      MarketStatus: number;
      ForexMinCont: string;
      HasForexMultiple: { Value: string }[];
    }[];
  };
  visitor.close();
  const instrument = data.find(({ MarketStatus }) => MarketStatus === 1);
  if (!instrument) throw new Error('no market is open');
  const recorder = new Recorder();
  const users = await Promise.all(
    Array.from({ length: load.users }, async (_, index) => {
      const connection = await RawHttp.open(server.port);
      const path = `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`;
      const { token } = (await call(connection, path)).data as { token: string };
      // Spread over the time between two calls.
      const next = performance.now() + ((load.everyMs ?? 0) * index) / load.users;
      const account = recorder.account(`user ${index + 1}`, BALANCE);
      return { connection, token, next, account };
    }),
  );

  const submit = new URLSearchParams({
    type: '1',
    forex_id: `${instrument.Id}`,
    cont: instrument.ForexMinCont,
    status: '1',
    multiple: instrument.HasForexMultiple.at(-1)?.Value ?? '0',
  });
  let latency = new Histogram();
  let done = 0;
  let refused = 0;
  const change = async (user: (typeof users)[number], path: string) => {
    const { connection, token, account } = user;
    if (load.everyMs) {
      await wait(Math.max(0, user.next - performance.now()));
      user.next = Math.max(user.next + load.everyMs, performance.now());
    }
    const key = randomUUID();
    const recorded = account.invoke(path, key);
    const begun = performance.now();
    const headers = { authorization: token, 'idempotency-key': key };
    const answer = await call(connection, path, headers);
    latency.add(performance.now() - begun);
    if (!NOT_KNOWN.includes(answer.code)) recorded.answered(answer);
    if (answer.code === 1) done++;
    else refused++;
    return answer;
  };

  const tradeUntil = (until: number) =>
    Promise.all(
      users.map(async (user) => {
        while (performance.now() < until) {
          const placed = await change(user, `/v1/api/forex/submit?${submit}`);
          if (placed.code !== 1) continue;
          const { Id } = placed.data as { Id: number };
          await change(user, `/v1/api/forex/close?id=${Id}`);
        }
      }),
    );
  await tradeUntil(performance.now() + load.warmUpSeconds * 1000);
  latency = new Histogram();
  done = 0;
  refused = 0;

  const before = server.usage();
  const begun = performance.now();
  await tradeUntil(begun + load.seconds * 1000);
  const elapsed = performance.now() - begun;
  const after = server.usage();
  for (const { connection, token, account } of users) {
    for (const path of LAST_READS) {
      const recorded = account.invoke(path);
      recorded.answered(await call(connection, path, { authorization: token }));
    }
    connection.close();
  }
  const problems = problemsOf(recorder);
  if (problems.length > 0) throw new Error(`no right server's history:\n${problems.join('\n')}`);
  return {
    perSecond: (done / elapsed) * 1000,
    calls: done + refused,
    refused,
    latency: latency.summary(),
    cores: (after.cpuMs - before.cpuMs) / elapsed,
    cpuPerOrder: (after.cpuMs - before.cpuMs) / (done + refused),
    memoryMb: after.memoryMb,
  };
}
