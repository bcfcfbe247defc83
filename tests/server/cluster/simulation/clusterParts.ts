import type { Bus } from '../../../../server/cluster/bus';
import { BusMarket } from '../../../../server/cluster/busMarket';
import { EngineBus } from '../../../../server/cluster/engineBus';
import { EngineWatch, type EngineWatchOptions } from '../../../../server/cluster/engineNews';
import { EngineQuestions } from '../../../../server/cluster/engineQuestions';
import { Epochs } from '../../../../server/cluster/epochs';
import { MarketServer } from '../../../../server/cluster/marketServer';
import { RemoteMarket } from '../../../../server/cluster/remoteMarket';
import { UserPushes } from '../../../../server/cluster/userPushes';
import { whenAnswered } from '../../../../server/cluster/whenAnswered';
import { SteadyClock } from '../../../../server/core/steadyClock';
import { isUnavailable } from '../../../../server/db/unavailable';
import { HaltableMarket } from '../../../../server/market/halts/haltableMarket';
import type { MarketQuote } from '../../../../server/market/market';
import { SimulatedMarket } from '../../../../server/market/simulated/simulatedMarket';
import { Logins } from '../../../../server/socket/logins';

const present = {
  ...{ BusMarket, EngineBus, EngineWatch, Epochs, HaltableMarket, Logins, MarketServer },
  ...{ RemoteMarket, SimulatedMarket, SteadyClock, UserPushes, isUnavailable, whenAnswered },
  questions: (bus: Bus, engines: EngineWatch) => new EngineQuestions(bus, engines),
  isStale: ({ stale }: MarketQuote) => stale === true,
};

/** What the roles of a release are made of. */
export interface ClusterParts extends Readonly<typeof present> {
  readonly release: string;
  /** Whether its messages have the present version: those of another one are not read. */
  readonly isRead: boolean;
}

export const PRESENT: ClusterParts = { release: 'present', isRead: true, ...present };

/** As a former release has it, where that differs. */
interface FormerParts
  extends Omit<ClusterParts, 'questions' | 'isStale' | 'isRead' | 'release' | 'EngineWatch'> {
  EngineWatch: new (
    options: EngineWatchOptions & { onLeaving(userId: number): void },
  ) => EngineWatch;
  EngineQuestions: new (bus: Bus, engines: EngineWatch, moved: unknown) => EngineQuestions;
  MovedTokens: new () => unknown;
}

/** Roles of a release whose module is at `path` (scripts/lib/formerParts.mjs). */
export async function formerRoles(path: string, isRead: boolean): Promise<ClusterParts> {
  const parts: FormerParts = await import(/* @vite-ignore */ path);
  return {
    ...parts,
    release: 'former',
    isRead,
    EngineWatch: class extends (parts.EngineWatch as typeof EngineWatch) {
      constructor(options: EngineWatchOptions) {
        // No account moves.
        super(Object.assign(options, { onLeaving() {} }));
      }
    },
    isStale: (quote: MarketQuote & { outdated?: boolean }) => quote.outdated === true,
    questions: (bus, engines) => new parts.EngineQuestions(bus, engines, new parts.MovedTokens()),
  };
}
