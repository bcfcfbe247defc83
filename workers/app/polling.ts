import { askedWait } from '#domain/core/result';
import { timeAfter, timeBetween, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Alerts } from '../alerts/alerts';
import type { Connection } from '../connection/connection';
import type { LateListener } from '../core/lazyListeners';
import type { Clock } from '../core/ports';
import type { ServerFeatures } from '../http/serverFeatures';
import type { Instruments } from '../market/instruments';
import type { Klines } from '../market/klines';
import type { Trading } from '../trading/trading';

/** Look this often whether messages come, ms: a pong does every five seconds. */
const LOOK_MS = toDurationMs(5000);
/** This part is loaded some seconds after the start. */
const FIRST_LOOK_MS = toDurationMs(2000);
/** After so many looks in a row that found none, lists are fetched instead. Looks are counted and not their time, because a machine that has slept has heard nothing either. */
const SILENT_LOOKS = 3;
const POLL_MS = toDurationMs(3000);
/** After so many polls whose answers are missing they are lost: without a reconnect nothing else tells it. */
const MOST_MISSING = 2;
/** A hidden page asks for what may notify only. */
const HIDDEN_POLL_MS = toDurationMs(15_000);
/** Without messages the server's clock is measured again after so many looks. */
const CLOCK_LOOKS = 10;

export interface PollingOptions {
  clock: Clock;
  connection: Pick<Connection, 'tracker' | 'serverClock' | 'isLoggedIn'>;
  instruments: Pick<Instruments, 'list' | 'quotes' | 'subscription' | 'poll' | 'restart'>;
  klines: Pick<Klines, 'poll'>;
  alerts: Pick<Alerts, 'poll'>;
  trading: Pick<Trading, 'poll' | 'abortReads'>;
  serverFeatures: Pick<ServerFeatures, 'known' | 'renew'>;
  /** Asks who is logged in, where no answer has told it. */
  findUser: () => void;
}

/**
 * Fetches list, orders, alerts and bars every few seconds while no websocket speaks (protocol.md#without-a-websocket), and after a
 * reconnect the alerts that may have triggered untold.
 */
export function createPolling(options: PollingOptions): LateListener {
  const { clock, connection, instruments, klines, alerts, trading, serverFeatures } = options;
  const { tracker, serverClock } = connection;
  let visible = true;
  let heardAt: UnixMs | undefined;
  let silentLooks = 0;
  /** The server's wall clock until which all alerts are told: at the last message before pushes may have been missed. */
  let toldUntil: UnixMs | undefined;
  /** Pushes may have been missed since then; another object for each time. */
  let missed: object | undefined;
  /** Polls since the last one that was answered whole. */
  let missing = 0;
  let looks = 0;
  /** The server has asked to be left alone until then. */
  let busyUntil = toUnixMs(0);
  let cancel = () => {};

  function timeOf(instrumentId: number): UnixMs | undefined {
    const slot = instruments.list.slot(instrumentId);
    return slot === undefined ? undefined : instruments.quotes.quote(slot).time;
  }

  function serverTimeOf(time: UnixMs | undefined): UnixMs | undefined {
    const now = serverClock.now();
    return now && time && timeAfter(now, timeBetween(clock.now(), time));
  }

  const wantsPrices = () => visible || instruments.subscription.notifies;

  function look(): void {
    silentLooks = tracker.heardAt === heardAt ? silentLooks + 1 : 0;
    heardAt = tracker.heardAt;
    const isSilent = silentLooks >= SILENT_LOOKS;
    tracker.setPolling(isSilent);
    if (wantsPrices()) measureClock(isSilent);
    if (isSilent) poll();
    else if (!missed) toldUntil = serverTimeOf(heardAt) ?? toldUntil;
    else if (connection.isLoggedIn) void tellMissed();
    cancel();
    cancel = clock.after(isSilent ? (visible ? POLL_MS : HIDDEN_POLL_MS) : LOOK_MS, look);
  }

  /** Asks for the server's clock where no pong tells it, and now and then where none comes. */
  function measureClock(isSilent: boolean): void {
    const known = serverFeatures.known();
    if (known && !known.includes('deadlines')) return;
    const lacks = serverClock.now() === undefined && !serverClock.lacking();
    looks = isSilent ? looks + 1 : 0;
    if (lacks || looks % CLOCK_LOOKS === 1) void serverFeatures.renew();
  }

  function poll(): void {
    if (clock.now() < busyUntil) return;
    if (missing >= MOST_MISSING) {
      missing = 0;
      trading.abortReads();
      instruments.restart();
    }
    missing += 1;
    options.findUser();
    missed = {};
    const polls = [trading.poll(!visible), alerts.poll(toldUntil), wantsPrices() && pollPrices()];
    void Promise.all(polls).then(() => {
      missing = 0;
    });
  }

  async function tellMissed(): Promise<void> {
    const asked = missed;
    if ((await alerts.poll(toldUntil)) && missed === asked) missed = undefined;
  }

  async function pollPrices(): Promise<void> {
    const list = await instruments.poll();
    if (list.ok && visible) klines.poll(timeOf);
    if (!list.ok) busyUntil = timeAfter(clock.now(), askedWait(list.failure));
  }

  return {
    started(start) {
      visible = start.visible;
      cancel = clock.after(FIRST_LOOK_MS, look);
    },
    visibilityChanged(now) {
      visible = now;
      if (visible && silentLooks >= SILENT_LOOKS) look();
    },
    tokenChanged() {
      // Until now nobody was logged in, or another user.
      missed = toldUntil = undefined;
    },
    connectedAgain() {
      missed = {};
    },
  };
}
