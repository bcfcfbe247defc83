import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Vitals } from '#domain/api/vitals';
import { toNumber } from '#domain/core/decimal';
import { earliest, latest, type UnixMs } from '#domain/core/time';
import { CLOSE_REASONS, type CloseReason } from '#domain/trading/order';
import type { Earned } from '#domain/trading/stagedChange';
import type { Clock } from '../core/clock';
import type { PoolUse } from '../db/database';
import type { MarketListener, MarketView } from '../market/market';
import type { SocketStats } from '../socket/sockets';
import type { ExposureGauges } from '../trading/exposures';
import { outcomeOf } from './outcome';

/** What is asked at each scrape, and costs nothing in between. */
export interface MetricSources {
  market: MarketView;
  sockets(): SocketStats;
  /** How many wait, by queue. */
  queues: Readonly<Record<string, () => number>>;
  /** Undefined where the database has no pool of connections. */
  pool: (() => PoolUse) | undefined;
  /** What customers hold of each instrument; absent where no accounts are. */
  exposure?: () => ExposureGauges;
}

/** A call that was answered. */
export interface AnsweredRequest {
  method: string;
  /** The path as it is registered, so that their number is bounded. */
  route: string;
  status: number;
  /** Of the envelope; 0 where there is none. */
  code: number;
  elapsedMs: number;
}

/** From what a database in memory answers to what users leave for, seconds. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Around what users call good and poor, seconds. */
const VITALS_BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 6, 10, 30];
const LAYOUT_SHIFT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1];
const LONG_FRAMES_BUCKETS = [0, 1, 3, 10, 30, 100, 300];

/** Of more instruments, counters begin with their first fill: a scrape is written by the thread that matches orders. */
const MOST_FROM_ZERO = 1000;

/**
 * The figures that /metrics shows (operations.md#metrics): what is counted while it happens, and what is read at each
 * scrape.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Counter;
  private readonly faults: Counter;
  private readonly durations: Histogram;
  private readonly transactions: Histogram;
  private readonly closedOrders: Counter;
  private readonly fees: Counter;
  private readonly spreadGained: Counter;
  private readonly spreadGiven: Counter;
  private readonly gaps: Counter;
  private readonly vitals: Histogram;
  private readonly layoutShift: Histogram;
  private readonly longFrames: Histogram;
  private readonly clientErrors: Counter;
  private readonly pages: Counter;
  private readonly releases: Gauge;
  private readonly auditDifferences: Gauge;
  private readonly auditTime: Gauge;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    const registers = [this.registry];
    this.clock = clock;
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Counter({
      name: 'fulcrum_http_requests_total',
      help: 'Answered HTTP requests by the envelope: ok, refused, malformed, signed_out and others; rejected is HTTP 4xx, fault 5xx.',
      labelNames: ['method', 'route', 'outcome'],
      registers,
    });
    // Without labels it is there from 0, so that an alert sees the first one.
    this.faults = new Counter({
      name: 'fulcrum_http_faults_total',
      help: 'Requests that were answered with HTTP 5xx.',
      registers,
    });
    this.durations = new Histogram({
      name: 'fulcrum_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer.',
      labelNames: ['method', 'route'],
      buckets: LATENCY_BUCKETS,
      registers,
    });
    this.transactions = new Histogram({
      name: 'fulcrum_transaction_duration_seconds',
      help: 'Changes of money or orders, with their commit; many orders share one.',
      labelNames: ['outcome'],
      buckets: LATENCY_BUCKETS,
      registers,
    });
    this.closedOrders = new Counter({
      name: 'fulcrum_orders_closed_total',
      help: `Closed orders: ${CLOSE_REASONS.join(', ')}.`,
      labelNames: ['reason'],
      registers,
    });
    this.fees = new Counter({
      name: 'fulcrum_fees_usd_total',
      help: 'Fees charged since the start; what a bust returns is not taken off.',
      labelNames: ['code'],
      registers,
    });
    // Two counters, because only a counter may begin at 0 again.
    this.spreadGained = new Counter({
      name: 'fulcrum_spread_gained_usd_total',
      help: 'Earned by fills against the latest price since the start.',
      labelNames: ['code'],
      registers,
    });
    this.spreadGiven = new Counter({
      name: 'fulcrum_spread_given_usd_total',
      help: 'Paid for fills against the latest price since the start.',
      labelNames: ['code'],
      registers,
    });
    this.gaps = new Counter({
      name: 'fulcrum_bus_gaps_total',
      help: 'Messages of the engine that a gateway has missed, so that it closed websockets.',
      labelNames: ['of'],
      registers,
    });
    for (const of of ['market', 'user']) this.gaps.inc({ of }, 0);
    this.vitals = new Histogram({
      name: 'fulcrum_visit_vitals_seconds',
      help: 'Vitals of visits: ttfb, fcp, lcp, inp, quote_age.',
      labelNames: ['vital'],
      buckets: VITALS_BUCKETS,
      registers,
    });
    this.layoutShift = new Histogram({
      name: 'fulcrum_visit_layout_shift',
      help: 'How much the layout of pages has shifted by itself (CLS).',
      buckets: LAYOUT_SHIFT_BUCKETS,
      registers,
    });
    this.longFrames = new Histogram({
      name: 'fulcrum_visit_long_frames_per_minute',
      help: 'Frames of pages that took more than 50 ms.',
      buckets: LONG_FRAMES_BUCKETS,
      registers,
    });
    this.clientErrors = new Counter({
      name: 'fulcrum_client_errors_total',
      help: 'Errors that clients have reported (npm run admin -- errors).',
      labelNames: ['release', 'fingerprint'],
      registers,
    });
    this.pages = new Counter({
      name: 'fulcrum_pages_total',
      help: 'Visits: pages that were served, by their release.',
      labelNames: ['release'],
      registers,
    });
    this.releases = new Gauge({
      name: 'fulcrum_release',
      help: 'Releases of the client: present, and the former one of this server.',
      labelNames: ['release', 'place'],
      registers,
    });
    this.auditDifferences = new Gauge({
      name: 'fulcrum_ledger_audit_differences',
      help: 'Differences that the last audit of the ledger found; -1: it failed. Absent before the first one (--audit-every).',
      registers,
    });
    this.auditDifferences.remove();
    this.auditTime = new Gauge({
      name: 'fulcrum_ledger_audit_timestamp_seconds',
      help: 'When the ledger was last audited; 0 before the first time (--audit-every).',
      registers,
    });
  }

  requestAnswered({ method, route, status, code, elapsedMs }: AnsweredRequest): void {
    const outcome = outcomeOf(status, code);
    this.requests.inc({ method, route, outcome });
    if (outcome === 'fault') this.faults.inc();
    this.durations.observe({ method, route }, elapsedMs / 1000);
  }

  orderClosed(reason: CloseReason): void {
    this.closedOrders.inc({ reason: reason || 'unknown' });
  }

  /** Fills and closes have earned this. */
  earned(earned: readonly Earned[]): void {
    for (const { code, fee, spread } of earned) {
      this.fees.inc({ code }, toNumber(fee));
      this.spreadGained.inc({ code }, Math.max(0, toNumber(spread)));
      this.spreadGiven.inc({ code }, Math.max(0, -toNumber(spread)));
    }
  }

  /** Messages of the market, or to one user, were lost on the bus. */
  busGap(of: 'market' | 'user'): void {
    this.gaps.inc({ of });
  }

  /** A page has reported how fast it was (protocol.md#vitals). */
  visited({ cls, long_frames, ...times }: Vitals): void {
    for (const [vital, ms] of Object.entries(times)) {
      if (ms !== undefined) this.vitals.observe({ vital }, ms / 1000);
    }
    if (cls !== undefined) this.layoutShift.observe(cls / 1000);
    if (long_frames !== undefined) this.longFrames.observe(long_frames);
  }

  /** A client has reported an error (protocol.md#client-errors). Both labels are from bounded sets. */
  clientFailed(release: string, fingerprint: string): void {
    this.clientErrors.inc({ release, fingerprint });
  }

  clientErrorForgotten(release: string, fingerprint: string): void {
    this.clientErrors.remove({ release, fingerprint });
  }

  pageServed(release: string): void {
    this.pages.inc({ release });
  }

  /** The release that this server serves, and the one before. Its errors count from 0, so that rates of the first one exist. */
  releaseServed(release: string, former: string | undefined): void {
    this.releases.set({ release, place: 'present' }, 1);
    if (former !== undefined) this.releases.set({ release: former, place: 'former' }, 1);
    this.clientErrors.inc({ release, fingerprint: 'other' }, 0);
  }

  /** `differences`: undefined where the audit failed. */
  audited(differences: number | undefined): void {
    this.auditDifferences.set(differences ?? -1);
    if (differences !== undefined) this.auditTime.set(this.clock.now() / 1000);
  }

  /** Runs a transaction and notes how long it took. */
  readonly timeTransaction = async <T>(run: () => Promise<T>): Promise<T> => {
    const began = this.clock.elapsed();
    let outcome = 'failed';
    try {
      const done = await run();
      outcome = 'committed';
      return done;
    } finally {
      this.transactions.observe({ outcome }, (this.clock.elapsed() - began) / 1000);
    }
  };

  /** Begins to count the market's ticks, and to ask these sources at each scrape. */
  watch({ market, sockets, queues, pool, exposure }: MetricSources): void {
    market.listen(this.tickListener(market));
    this.watchQuotes(market);
    this.gaugeBy('state', 'fulcrum_sockets', 'Websockets: open, logged in, fallen behind.', () => {
      const { open, loggedIn, slow } = sockets();
      return { open, logged_in: loggedIn, slow };
    });
    this.gauge(
      'fulcrum_socket_unsent_bytes',
      'Bytes that the kernel has not taken yet, over all websockets.',
      () => sockets().unsentBytes,
    );
    this.gaugeBy('queue', 'fulcrum_queue_length', 'Changes that wait for their turn.', () =>
      Object.fromEntries(Object.entries(queues).map(([name, length]) => [name, length()])),
    );
    if (exposure) {
      const by = (figure: keyof ExposureGauges, name: string, help: string) =>
        this.gaugeBy('code', name, help, () => exposure()[figure]);
      by('value', 'fulcrum_exposure_usd', 'Value of what customers hold, net; short is negative.');
      by('limit', 'fulcrum_exposure_limit_usd', 'Its limit (--exposure-limit).');
      by('profit', 'fulcrum_open_profit_usd', 'Open profit of customers.');
      this.countFromZero(market);
    }
    if (!pool) return;
    this.gaugeBy(
      'state',
      'fulcrum_database_connections',
      'Connections to PostgreSQL: used, idle, and waiting calls.',
      () => {
        const { total, idle, waiting } = pool();
        return { used: total - idle, idle, waiting };
      },
    );
  }

  /** So that the increase of the first fill or close exists. */
  private countFromZero(market: MarketView): void {
    const codes = market.instruments.length > MOST_FROM_ZERO ? [] : market.instruments;
    for (const { code } of codes) {
      for (const counter of [this.fees, this.spreadGained, this.spreadGiven]) {
        counter.inc({ code }, 0);
      }
    }
    for (const reason of CLOSE_REASONS) this.closedOrders.inc({ reason }, 0);
  }

  private tickListener(market: MarketView): MarketListener {
    const registers = [this.registry];
    const ticks = new Counter({
      name: 'fulcrum_ticks_total',
      help: 'Ticks of the market.',
      registers,
    });
    const bars = new Counter({
      name: 'fulcrum_bars_closed_total',
      help: 'One-minute bars that were completed.',
      registers,
    });
    const halts = new Counter({
      name: 'fulcrum_price_halts_total',
      help: 'Halts of an instrument whose latest price had to be confirmed; the log has prices and outcome.',
      registers,
    });
    const lag = new Histogram({
      name: 'fulcrum_tick_lag_seconds',
      help: 'Age of the newest tick of a batch when it is delivered, by the clock of the market.',
      buckets: LATENCY_BUCKETS,
      registers,
    });
    const inDoubt = new Set<number>();
    return {
      ticks: (batch) => {
        ticks.inc(batch.length);
        const newest = batch.at(-1);
        if (newest) lag.observe(Math.max(0, market.now() - newest.time) / 1000);
      },
      status: (instrumentIds) => {
        for (const id of instrumentIds) {
          const { marketOpen, closedReason } = market.quote(id) ?? {};
          // A gateway gets the status of all after each gap, and a feed may be lost meanwhile.
          if (marketOpen) inDoubt.delete(id);
          else if (closedReason === 'doubt' && !inDoubt.has(id)) {
            inDoubt.add(id);
            halts.inc();
          }
        }
      },
      barClosed: () => bars.inc(),
    };
  }

  private watchQuotes(market: MarketView): void {
    this.gaugeBy(
      'status',
      'fulcrum_instruments',
      'Instruments: open, closed, stale (too old to fill orders), untraded.',
      () => {
        const count = { open: 0, closed: 0, stale: 0, untraded: 0 };
        for (const { id } of market.instruments) {
          const quote = market.quote(id);
          if (!quote) count.untraded++;
          else if (!quote.marketOpen) count.closed++;
          else if (quote.stale) count.stale++;
          else count.open++;
        }
        return count;
      },
    );
    const ageOf = (times: readonly UnixMs[], pick: (...times: UnixMs[]) => UnixMs) => {
      const [first, ...others] = times;
      if (first === undefined) return undefined;
      return Math.max(0, market.now() - others.reduce((a, b) => pick(a, b), first)) / 1000;
    };
    const quotes = () => market.instruments.flatMap(({ id }) => market.quote(id) ?? []);
    this.gauge(
      'fulcrum_newest_quote_age_seconds',
      'Age of the newest quote: how long the whole feed has been silent.',
      () =>
        ageOf(
          quotes().map(({ time }) => time),
          latest,
        ),
    );
    this.gauge(
      'fulcrum_oldest_quote_age_seconds',
      'Age of the oldest quote of an open market.',
      () =>
        ageOf(
          quotes()
            .filter(({ marketOpen }) => marketOpen)
            .map(({ time }) => time),
          earliest,
        ),
    );
  }

  /** A gauge that is read when it is scraped; it is absent while `read` returns undefined. */
  private gauge(name: string, help: string, read: () => number | undefined): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.remove();
        const value = read();
        if (value !== undefined) this.set(value);
      },
    });
  }

  /** As `gauge`, with a value for each value of a label. */
  private gaugeBy(
    label: string,
    name: string,
    help: string,
    read: () => Record<string, number>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, figure] of Object.entries(read())) this.set({ [label]: value }, figure);
      },
    });
  }
}
