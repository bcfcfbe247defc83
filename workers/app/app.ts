import type { GridWorkerApi } from '#domain/worker/grid';
import type { MarketWorkerApi } from '#domain/worker/market';
import type { PracticeWorkerApi } from '#domain/worker/practice';
import type { Start, WorkerApi } from '#domain/worker/workerApi';
import { type Alerts, createAlerts } from '../alerts/alerts';
import type { AlertsOptions } from '../alerts/types';
import type { Connection } from '../connection/connection';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { LateListener } from '../core/lazyListeners';
import { withDomain } from '../http/baseAddress';
import { createServerFeatures, type ServerFeatures } from '../http/serverFeatures';
import type { Answering } from '../http/transport';
import type { GridCalls } from '../market/gridCalls';
import type { Market } from '../market/market';
import { createTopsOfBook } from '../market/topsOfBook';
import type { Trading } from '../trading/trading';
import { reportRejections } from './failures';
import { createPolling } from './polling';
import { createSettingsWatch } from './settingsWatch';
import { createSilenceWatch } from './silence';
import { createStatusWatch } from './status';
import { createVersionWatch } from './version';

/** What the first prices do not need. */
export interface App {
  readonly calls: Alerts['calls'] &
    GridWorkerApi &
    PracticeWorkerApi &
    Pick<MarketWorkerApi, 'watchTopsOfBook'> &
    Pick<WorkerApi, 'ownDomains'>;
  readonly listeners: readonly LateListener[];
  readonly serverFeatures: ServerFeatures;
}

interface AppOptions extends Omit<AlertsOptions, 'serverFeatures'> {
  trading: AlertsOptions['trading'] & Pick<Trading, 'livePositions' | 'poll' | 'abortReads'>;
  market: Pick<Market, 'klines' | 'calls'>;
  connection: AlertsOptions['connection'] &
    Pick<Connection, 'tracker' | 'serverClock' | 'setSubscribesByUrl'>;
  /** Whether the server has answered a call. */
  answered: () => boolean;
  /** Who has answered the last call. */
  answering: () => Answering;
  findUser: () => void;
}

const gridCode = importOnce(() => import('../market/gridCalls'));
const practiceCode = importOnce(() => import('../practice/practice'));

/** What the worker finds out about the app itself (whether it is in service, its version, the server's features), and alerts. */
export function createApp(options: AppOptions): App {
  reportRejections();
  const { clock, http, instruments, frames, market, trading } = options;
  const { emit } = frames;
  const { quotes } = instruments;
  const { called } = options.connection.serverClock;
  const serverFeatures = createServerFeatures(clock, http, called, (found) => {
    instruments.subscription.setCompact(found.includes('compact'));
    options.connection.setSubscribesByUrl(found.includes('sub_url'));
    alerts.featuresKnown();
  });
  const alerts = createAlerts({ ...options, serverFeatures });
  let grids: GridCalls | undefined;
  let pageKnown = (_: Start['page']) => {};
  const page = new Promise<Start['page']>((resolve) => {
    pageKnown = resolve;
  });
  return {
    serverFeatures,
    calls: {
      ...alerts.calls,
      ...createTopsOfBook(frames, quotes),
      async ownDomains() {
        // The title may have decided where the API is, without them.
        return (await withDomain({ ...(await page), title: '' })).domains;
      },
      ...lazy<GridWorkerApi>(
        async () => {
          const { createGridCalls } = await gridCode();
          grids = createGridCalls({
            clock,
            frames,
            list: instruments.list,
            quotes,
            klines: market.klines,
            categories: market.calls.categories,
            sparklines: market.calls.sparklines,
            positions: trading.livePositions,
          });
          return grids.calls;
        },
        { gridRows: true, columnValues: true, leaveGrid: true, watchColumnValues: true },
      ),
      ...lazy<PracticeWorkerApi>(async () => (await practiceCode()).createPractice(options), {
        practice: true,
      }),
    },
    listeners: [
      { started: (start) => pageKnown(start.page) },
      createSilenceWatch(options),
      createPolling({ ...options, alerts, klines: market.klines, serverFeatures }),
      createStatusWatch(clock, http, emit),
      createVersionWatch(clock, http, emit),
      serverFeatures.listener,
      alerts.listener,
      createSettingsWatch(options.connection, emit),
      {
        connectedAgain: () => grids?.barsMissed(),
        backgroundChanged: (isBackground) => isBackground || grids?.barsMissed(),
      },
    ],
  };
}
