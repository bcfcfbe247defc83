import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SUBJECTS } from '../../../server/cluster/bus';
import { NatsBus } from '../../../server/cluster/natsBus';
import { readCommand } from '../../../server/config/config';
import { openTracing } from '../../../server/tracing/openTracing';
import { OtlpTracing } from '../../../server/tracing/otlpTracing';
import { missing } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { emptyDatabase } from '../support/database';
import { startNats } from '../support/nats';
import { OtlpReceiver } from '../support/otlpReceiver';
import { as, TestServer } from '../support/testServer';

const ORDER = '/v1/api/forex/submit?forex_id=1&type=1&status=1&cont=0.1&multiple=50';
const silent = { info() {}, warn() {}, error() {} };

describe('a trace', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let receiver: OtlpReceiver;
  let tracing: OtlpTracing;
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    database = await emptyDatabase();
    receiver = await OtlpReceiver.open();
  });
  beforeEach(async () => {
    receiver.spans.splice(0);
    tracing = new OtlpTracing(receiver.url, 'all', silent);
    server = await TestServer.open(database.db, { tracing });
    await server.market.tick([1, 1.1], [2, 1.5]);
    ({ token } = await server.demoUser());
  });
  afterAll(async () => {
    receiver.close();
    await database.close();
  });

  /** Spans reach the collector when the server stops, at the latest. */
  async function spansOf(traceId: string) {
    await server.close();
    return receiver.spans.filter((span) => span.traceId === traceId);
  }
  const traceOf = (requestId: string) => requestId.replaceAll('-', '');

  inTurn(it)('has the name of its request, and goes from the call to what was posted', async () => {
    const requestId = randomUUID();
    const { data } = await server.get(ORDER, {
      ...as(token),
      'x-request-id': requestId,
      'idempotency-key': randomUUID(),
    });
    const spans = await spansOf(traceOf(requestId));
    const of = (name: string) => spans.find((span) => span.name === name);
    const call = of('GET /v1/api/forex/submit');
    expect(call).toMatchObject({
      parentSpanId: '',
      failed: false,
      facts: {
        'fulcrum.request_id': requestId,
        'fulcrum.answer': 1,
        'http.response.status_code': 200,
      },
    });
    expect(of('wait for turn')?.parentSpanId).toBe(call?.spanId);
    expect(of('transaction')?.parentSpanId).toBe(call?.spanId);
    expect(of('posting')).toMatchObject({
      parentSpanId: of('transaction')?.spanId,
      facts: { 'fulcrum.kinds': ['frozen', 'fee'], 'fulcrum.orders': [data.Id] },
    });
    expect(spans).toHaveLength(4);
  });

  it('is one for each of many calls that share a transaction', async () => {
    const ids = Array.from({ length: 5 }, () => randomUUID());
    const orders = await Promise.all(
      ids.map((id) => server.get(ORDER, { ...as(token), 'x-request-id': id })),
    );
    await server.close();
    for (const [index, id] of ids.entries()) {
      const own = receiver.spans.filter(({ traceId }) => traceId === traceOf(id));
      const postings = own.filter(({ name }) => name === 'posting');
      expect(postings.map(({ facts }) => facts['fulcrum.orders'])).toEqual([
        [orders[index]?.data.Id],
      ]);
    }
  });

  it("continues a proxy's, and names itself where an id is none", async () => {
    const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    await server.get(ORDER, { ...as(token), traceparent: `00-${trace}-${parent}-00` });
    await server.get(ORDER, { ...as(token), traceparent: '00-zz-1' });
    await server.get(ORDER, {
      ...as(token),
      'x-request-id': '00000000-0000-0000-0000-000000000000',
    });
    const continued = await spansOf(trace);
    expect(continued.find(({ name }) => name.startsWith('GET'))?.parentSpanId).toBe(parent);
    const calls = receiver.spans.filter(({ name }) => name === 'GET /v1/api/forex/submit');
    expect(new Set(calls.map(({ traceId }) => traceId)).size).toBe(3);
    for (const { traceId } of calls) expect(traceId).toMatch(/^(?!0+$)[\da-f]{32}$/);
  });

  it('goes with no token, no query and no address, and a refusal is no failure', async () => {
    await server.get(`/api/user/info?token=${token}`, as(token));
    await server.get(ORDER.replace('cont=0.1', 'cont=0'), as(token));
    await server.close();
    const all = JSON.stringify(receiver.spans);
    expect(all).not.toContain(token);
    expect(all).not.toContain('127.0.0.1');
    expect(all).not.toContain('cont=');
    expect(receiver.spans.filter(({ failed }) => failed)).toEqual([]);
  });

  unless(it, missing('NATS'))('crosses the bus with the message about the order', async () => {
    await server.close();
    const nats = await startNats();
    const own = new OtlpTracing(receiver.url, 'engine', silent);
    const ofGateway = new OtlpTracing(receiver.url, 'gateway', silent);
    const gateway = await NatsBus.open(nats.url, 'gateway', silent, ofGateway);
    const bus = await NatsBus.open(nats.url, 'engine', silent, own);
    server = await TestServer.open(database.db, { tracing: own, bus });
    await server.market.tick([1, 1.1], [2, 1.5]);
    const user = await server.demoUser();
    const { id } = (await server.get('/api/user/info', as(user.token))).data;
    const told = new Promise<void>((resolve) => {
      gateway.listen(`fulcrum.user.${id}`, () => resolve());
    });
    // An answered question proves that the subscription has arrived.
    await gateway.ask(SUBJECTS.pushed(1), new TextEncoder().encode(String(id)));
    const requestId = randomUUID();
    await server.get(ORDER, { ...as(user.token), 'x-request-id': requestId });
    await told;
    await gateway.close();
    await ofGateway.close();
    const spans = await spansOf(traceOf(requestId));
    const published = spans.find(({ name }) => name === 'publish user');
    expect(published?.role).toBe('engine');
    expect(spans.find(({ name }) => name === 'receive user')).toMatchObject({
      role: 'gateway',
      parentSpanId: published?.spanId,
    });
    const transaction = spans.find(({ name }) => name === 'transaction');
    expect(published?.parentSpanId).toBe(transaction?.spanId);
    // What ticks tell belongs to no request.
    expect(receiver.spans.filter(({ name }) => name.includes('market'))).toEqual([]);
    await nats.kill();
  });

  unless(it, missing('NATS'))('has the question to another process and its answer', async () => {
    await server.close();
    const nats = await startNats();
    const own = new OtlpTracing(receiver.url, 'all', silent);
    const from = await NatsBus.open(nats.url, 'gateway', silent, own);
    const to = await NatsBus.open(nats.url, 'engine', silent, own);
    to.answer('fulcrum.bars', async (data) => data);
    // An answered question proves that the subscription has arrived.
    await to.ask('fulcrum.bars', new Uint8Array([0]));
    await from.ask('fulcrum.bars', new Uint8Array([0]));
    const requestId = randomUUID();
    const call = own.request('GET /bars', requestId, undefined, {});
    await call.run(() => from.ask('fulcrum.bars', new Uint8Array([1])));
    call.end();
    await Promise.all([from.close(), to.close()]);
    await own.close();
    await nats.kill();
    const spans = receiver.spans.filter(({ traceId }) => traceId === traceOf(requestId));
    const asked = spans.find(({ name }) => name === 'ask bars');
    expect(spans.find(({ name }) => name === 'answer bars')?.parentSpanId).toBe(asked?.spanId);
    // The one that nobody's request has caused is no trace.
    expect(receiver.spans.filter(({ name }) => name === 'answer bars')).toHaveLength(1);
  });

  it('that nobody takes is told once, and keeps no server from stopping', async () => {
    await server.close();
    const lines: string[] = [];
    const log = { ...silent, warn: (line: string) => lines.push(line) };
    receiver.taking = false;
    const refused = new OtlpTracing(`${receiver.url}/`, 'all', log);
    for (let count = 0; count < 2; count++) {
      refused.request('GET /', randomUUID(), undefined, {}).end();
    }
    await refused.close();
    receiver.taking = true;
    expect(lines.map((line) => line.slice(0, 20))).toEqual(['traces are not taken']);
  });
});

it('is made only where a collector is named, by the option or by the standard variable', async () => {
  const configOf = (args: string[], environment: Record<string, string>) => {
    const command = readCommand(args, environment);
    if (command.name === 'help') throw new Error('only help');
    return command.config;
  };
  expect(await openTracing(configOf([], {}), silent)).toBeUndefined();
  const variable = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(configOf(['--otlp', 'http://127.0.0.1:1'], variable).otlp).toBe('http://127.0.0.1:1');
  const tracing = await openTracing(configOf([], variable), silent);
  expect(tracing).toBeInstanceOf(OtlpTracing);
  await tracing?.close();
});
