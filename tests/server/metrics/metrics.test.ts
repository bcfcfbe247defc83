import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUsd } from '#domain/core/units';
import { CLOSE_REASONS } from '#domain/trading/order';
import { Metrics } from '../../../server/metrics/metrics';
import { outcomeOf } from '../../../server/metrics/outcome';
import { inTurn } from '../../helpers/samples';
import { generated, table } from '../../repository/generated';
import { root } from '../../repository/tree';
import { send } from '../http/testHttp';
import { onEachDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';
import { as, TestServer } from '../support/testServer';

const SUBMIT = '/v1/api/forex/submit';

onEachDatabase((database) => {
  let server: TestServer;
  let address: string;
  beforeAll(async () => {
    const args = ['--metrics-port', '0', '--audit-every', '1', '--exposure-limit', 'GBPUSD=90000'];
    server = await TestServer.open(database.db, { args });
    const line = server.printed.find((text) => text.startsWith('Metrics: ')) ?? '';
    address = line.slice('Metrics: '.length);
  });
  afterAll(() => server.close());

  /** The value of a sample as /metrics shows it; undefined where it is absent. */
  async function read(sample: string): Promise<number | undefined> {
    const { text } = await send(address);
    const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
    return line === undefined ? undefined : Number(line.slice(sample.length));
  }

  it('are served on their own port only, on loopback', async () => {
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const { status, headers } = await send(address);
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect((await send(`${server.url}/metrics`)).status).toBe(404);
    expect((await send(address.replace('/metrics', '/'))).status).toBe(404);
    expect((await send(address, { method: 'POST' })).status).toBe(404);
    expect(await send(address, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  it('count ticks and tell the age of quotes', async () => {
    const before = (await read('fulcrum_ticks_total')) ?? 0;
    await server.market.tick([1, 1.1], [1, 1.2], [2, 1.5]);
    expect(await read('fulcrum_ticks_total')).toBe(before + 3);
    expect(await read('fulcrum_instruments{status="open"}')).toBe(2);
    server.market.pass(3_000);
    await server.market.tick([2, 1.6]);
    expect(await read('fulcrum_newest_quote_age_seconds')).toBe(0);
    expect(await read('fulcrum_oldest_quote_age_seconds')).toBeCloseTo(4, 1);
  });

  it('count calls by what the envelope says, and orders by how they end', async () => {
    await server.market.tick([1, 1.1], [2, 1.5]);
    const { token } = await server.demoUser();
    const order = `${SUBMIT}?forex_id=1&type=1&status=1&cont=0.1&multiple=50`;
    const { data } = await server.get(order, as(token));
    await server.get(`${SUBMIT}?forex_id=1&type=1&status=1&cont=0`, as(token));
    await server.get(SUBMIT);
    await server.get(`/v1/api/forex/close?id=${data.Id}`, as(token));
    const calls = (outcome: string) =>
      read(`fulcrum_http_requests_total{method="GET",route="${SUBMIT}",outcome="${outcome}"}`);
    expect(await calls('ok')).toBe(1);
    expect(await calls('refused')).toBe(1);
    expect(await calls('signed_out')).toBe(1);
    expect(await read('fulcrum_orders_closed_total{reason="user"}')).toBe(1);
    expect(
      await read('fulcrum_transaction_duration_seconds_count{outcome="committed"}'),
    ).toBeGreaterThanOrEqual(2);
    expect(
      await read(`fulcrum_http_request_duration_seconds_count{method="GET",route="${SUBMIT}"}`),
    ).toBe(3);
    expect(await read('fulcrum_queue_length{queue="changes"}')).toBe(0);
  });

  it('tell what customers hold, against its limit, and what fills have earned', async () => {
    await server.market.tick([1, 1.1], [2, 1.5]);
    const { token } = await server.demoUser();
    const order = `${SUBMIT}?forex_id=2&type=2&status=1&cont=0.5&multiple=50`;
    const { data } = await server.get(order, as(token));
    await server.market.tick([2, 1.6]);
    const of = (name: string) => read(`fulcrum_${name}{code="GBPUSD"}`);
    expect(await of('exposure_usd')).toBe(-80_000);
    expect(await of('exposure_limit_usd')).toBe(90_000);
    expect(await of('open_profit_usd')).toBe(-5_000);
    expect(await of('fees_usd_total')).toBe(1.5);
    expect(await of('spread_gained_usd_total')).toBe(0);
    expect(await of('spread_given_usd_total')).toBe(0);
    await server.get(`/v1/api/forex/close?id=${data.Id}`, as(token));
    expect(await of('exposure_usd')).toBeUndefined();
    expect(await of('fees_usd_total')).toBe(1.5);
  });

  it('have one series for all unknown paths and methods', async () => {
    for (const path of ['/a', '/b?c=d', '/api/user/e']) await send(server.url + path);
    await send(`${server.url}/healthz`);
    const { text } = await send(address);
    expect(await read(unknown('GET'))).toBeGreaterThanOrEqual(3);
    expect(text).not.toMatch(/route="\/(a|b|api\/user\/e|healthz)"/);
    await send(`${server.url}/a`, { method: 'PROPFIND' });
    expect(await read(unknown('other'))).toBe(1);
  });

  it('tell what the last audit found', async () => {
    expect(await read('fulcrum_ledger_audit_timestamp_seconds')).toBe(0);
    expect(await read('fulcrum_ledger_audit_differences')).toBeUndefined();
    server.clock.pass(3_600_000);
    await expect.poll(() => read('fulcrum_ledger_audit_timestamp_seconds')).toBeGreaterThan(0);
    expect(await read('fulcrum_ledger_audit_differences')).toBe(0);
  });

  describe('of phones', () => {
    const report = (form: Record<string, string>, address = '127.0.0.1') =>
      send(`${server.url}/api/common/vitals`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
          'x-forwarded-for': address,
        },
        body: new URLSearchParams(form).toString(),
      });
    const count = (vital: string) => read(`fulcrum_visit_vitals_seconds_count{vital="${vital}"}`);

    it('are what their pages report', async () => {
      const all = { ttfb: '80', fcp: '900', lcp: '1700', inp: '120', quote_age: '60' };
      const { text } = await report({ ...all, cls: '20', long_frames: '4' });
      expect(JSON.parse(text)).toMatchObject({ code: 1, data: null });
      for (const vital of Object.keys(all)) expect(await count(vital)).toBe(1);
      expect(await read('fulcrum_visit_vitals_seconds_sum{vital="lcp"}')).toBeCloseTo(1.7);
      expect(await read('fulcrum_visit_layout_shift_sum')).toBeCloseTo(0.02);
      expect(await read('fulcrum_visit_long_frames_per_minute_sum')).toBe(4);
      // A page knows some of them only.
      await report({ fcp: '500' });
      expect([await count('fcp'), await count('lcp')]).toEqual([2, 1]);
    });

    it.each([
      ['lcp', '-1'],
      ['lcp', '1e3'],
      ['inp', '600001'],
      ['long_frames', '1201'],
    ])('are not %s %s', async (name, value) => {
      const before = await count('fcp');
      const { text } = await report({ fcp: '1', [name]: value });
      expect(JSON.parse(text)).toMatchObject({ code: 400 });
      expect(await count('fcp')).toBe(before);
    });

    inTurn(it)('are at most 200 reports an hour of one network', async () => {
      const of = async (address: string) => (await report({ ttfb: '1' }, address)).status;
      const statuses = await Promise.all(Array.from({ length: 201 }, () => of('203.0.113.7')));
      expect(statuses.filter((status) => status === 200)).toHaveLength(200);
      expect(statuses.filter((status) => status === 429)).toHaveLength(1);
      expect(await of('203.0.113.8')).toBe(200);
      server.clock.pass(3_600_000);
      expect(await of('203.0.113.7')).toBe(200);
    });

    it('come from no page unless the operator wants them', async () => {
      expect((await send(server.url)).text).not.toMatch(/name="vitals-share" content="[^"]/);
    });
  });

  const unknown = (method: string) =>
    `fulcrum_http_requests_total{method="${method}",route="unknown",outcome="rejected"}`;
});

describe('a metric', async () => {
  const metrics = new Metrics(new FakeClock());
  metrics.watch({
    market: new ScriptedMarket([instrument(1, 'EURUSD')]),
    sockets: () => ({ open: 0, loggedIn: 0, slow: 0, unsentBytes: 0 }),
    queues: {},
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
    exposure: () => ({ value: {}, profit: {}, limit: {} }),
  });
  const registered = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);

  it.each([
    ['dashboard', 'deploy/grafana/fulcrum.json', 15],
    ['rules', 'deploy/prometheus/fulcrum.rules.yml', 2],
  ])('of the %s exists', (_, file, least) => {
    const text = readFileSync(join(root, file), 'utf8');
    const used = [...text.matchAll(/\b((?:fulcrum|process|nodejs)_\w+)/g)].map(([, name = '']) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    );
    expect(used.length).toBeGreaterThan(least);
    expect([...new Set(used)].filter((name) => !registered.includes(name))).toEqual([]);
  });

  it('whose increase is an alert is there before the first time', async () => {
    const rules = readFileSync(join(root, 'deploy/prometheus/fulcrum.rules.yml'), 'utf8');
    const used = [...rules.matchAll(/- alert: .*\n *expr: increase\((\w+)/g)];
    expect(used.length).toBeGreaterThan(1);
    for (const [, name = ''] of used) {
      const { values = [] } = (await metrics.registry.getSingleMetric(name)?.get()) ?? {};
      expect([...new Set(values.map(({ value }) => value))], name).toEqual([0]);
    }
  });

  it('of what fills earn is there before the first one, and never goes down', async () => {
    const counted = new Metrics(new FakeClock());
    counted.watch({
      market: new ScriptedMarket([instrument(1, 'EURUSD'), instrument(2, 'GBPUSD')]),
      sockets: () => ({ open: 0, loggedIn: 0, slow: 0, unsentBytes: 0 }),
      queues: {},
      pool: undefined,
      exposure: () => ({ value: {}, profit: {}, limit: {} }),
    });
    const values = (names: string[]) =>
      Promise.all(
        names.map(async (name) =>
          (await counted.registry.getSingleMetric(`fulcrum_${name}_total`)?.get())?.values.map(
            ({ value }) => value,
          ),
        ),
      );
    const earnings = ['fees_usd', 'spread_gained_usd', 'spread_given_usd'];
    expect(await values(earnings)).toEqual(earnings.map(() => [0, 0]));
    expect(await values(['orders_closed'])).toEqual([CLOSE_REASONS.map(() => 0)]);
    const earned = { code: 'GBPUSD', fee: toUsd('1.5') };
    counted.earned(['2', '-0.5', '-0.25'].map((spread) => ({ ...earned, spread: toUsd(spread) })));
    expect(await values(earnings)).toEqual([
      [0, 4.5],
      [0, 2],
      [0, 0.75],
    ]);
  });

  it('of halts counts each once, however often its status is told', async () => {
    const counted = new Metrics(new FakeClock());
    const market = new ScriptedMarket([instrument(1, 'EURUSD'), instrument(2, 'GBPUSD')]);
    counted.watch({
      ...{ market, queues: {}, pool: undefined },
      sockets: () => ({ open: 0, loggedIn: 0, slow: 0, unsentBytes: 0 }),
    });
    const halts = async () =>
      (await counted.registry.getSingleMetric('fulcrum_price_halts_total')?.get())?.values[0]
        ?.value;
    await market.tick([1, 1.1], [2, 1.5]);
    const doubt = (id: number) => market.setOpen(id, false, undefined, 'doubt');
    for (const id of [1, 2, 1, 1]) doubt(id);
    market.setOpen(1, false, undefined, { feed: 'Kraken', since: market.now() });
    doubt(1);
    expect(await halts()).toBe(2);
    await market.tick([1, 1.1]);
    market.setOpen(1, true);
    doubt(1);
    expect(await halts()).toBe(3);
  });

  it('whose change is on the dashboard knows restarts: it is a counter', async () => {
    const dashboard = readFileSync(join(root, 'deploy/grafana/fulcrum.json'), 'utf8');
    const changes = [...dashboard.matchAll(/\b(delta|idelta|deriv|increase|rate)\((\w+)/g)];
    expect(changes.length).toBeGreaterThan(10);
    const types = new Map(
      (await metrics.registry.getMetricsAsJSON()).map(({ name, type }) => [name, type as unknown]),
    );
    for (const [, operation, name = ''] of changes) {
      const type = types.get(name.replace(/_(bucket|count|sum)$/, ''));
      expect([operation, type], name).toEqual([
        expect.stringMatching(/^(increase|rate)$/),
        expect.stringMatching(/^(counter|histogram)$/),
      ]);
    }
  });

  it('counts answers of HTTP 5xx', async () => {
    const counted = new Metrics(new FakeClock());
    const request = { method: 'GET', route: SUBMIT, code: 0, elapsedMs: 1 };
    for (const status of [200, 404, 500, 503]) counted.requestAnswered({ ...request, status });
    expect(await counted.registry.getSingleMetricAsString('fulcrum_http_faults_total')).toMatch(
      /^fulcrum_http_faults_total 2$/m,
    );
  });

  it('of ours is in docs/metrics.md, which is generated', async () => {
    const rows = metrics.registry
      .getMetricsAsArray()
      .filter(({ name }) => name.startsWith('fulcrum_'))
      .map((metric) => {
        const { name, help } = metric;
        const { labelNames = [] } = metric as { labelNames?: readonly string[] };
        return [`\`${name}\``, labelNames.join(', '), help];
      });
    expect(rows.length).toBeGreaterThan(15);
    const text = table(['metric', 'labels', 'meaning'], rows);
    await expect(
      generated('tests/server/metrics/metrics.test.ts', 'Metrics', text),
    ).toMatchFileSnapshot(join(root, 'docs/metrics.md'));
  });
});

it.each([
  [200, 1, 'ok'],
  [200, 0, 'ok'],
  [200, 2, 'refused'],
  [200, 400, 'malformed'],
  [200, 409, 'still_running'],
  [200, 427, 'second_factor'],
  [200, 999, 'signed_out'],
  [404, 0, 'rejected'],
  [503, 0, 'fault'],
])('HTTP %i with code %i is %s', (status, code, outcome) => {
  expect(outcomeOf(status, code)).toBe(outcome);
});
