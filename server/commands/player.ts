import { setImmediate as nextTurn } from 'node:timers/promises';
import { timeOf } from '#domain/core/time';
import type { OrderState } from '#domain/trading/orderState';
import { DEMO_BALANCE } from '../account/demo';
import { systemClock } from '../core/clock';
import { errorText } from '../core/errorText';
import type { Db } from '../db/database';
import { ledgerAccounts, orders, users } from '../db/schema';
import { Transactions, type UnitOfWork } from '../db/transactions';
import { Refusal } from '../http/refusal';
import { BROKER } from '../ledger/entries';
import { Ledger } from '../ledger/ledger';
import { ExposureLimits } from '../trading/exposureLimits';
import { MatchingEngine } from '../trading/matchingEngine';
import { countNights } from '../trading/orderStore';
import { noWatch } from '../trading/tickWatch';
import { CommandLog } from './commandLog';
import { type Details, decodeDetails, type MatchingSettings, type RecordedTerms } from './details';
import { PlayedMarket } from './playedMarket';
import type { RecordedCommand, Recording } from './recordedBooks';

/** A command could not be done again: it was altered, or one before it. */
export class NotRepeated extends Error {}

/** Rows of a statement. */
const ROWS_AT_ONCE = 1000;

/**
 * Plays recorded commands into an empty database, by the matching and the ledger that have recorded them, on a market of which only what they saw
 * is known.
 */
export class Player {
  /** The ids of orders that it was given, and has not made itself. */
  private readonly given = new Set<number>();
  /** The last order before the first command. */
  private lastOrderBefore = 0;
  private readonly db: Db;
  private readonly transactions: Transactions;
  private ledger: Ledger;
  private at = timeOf(new Date(0));
  private market: PlayedMarket | undefined;
  private engine: MatchingEngine | undefined;

  private readonly termsAfter: Recording['termsAfter'];

  constructor(db: Db, termsAfter: Recording['termsAfter']) {
    this.db = db;
    this.termsAfter = termsAfter;
    this.transactions = new Transactions({
      db,
      exclusively: (work) => work(),
      beforeCommit: undefined,
    });
    this.ledger = this.openLedger();
  }

  private openLedger(): Ledger {
    return new Ledger(() => this.at);
  }

  /** Plays the next commands; those before the first base are left out. Throws NotRepeated. */
  async play(commands: readonly RecordedCommand[]): Promise<void> {
    await this.transactions.run(async (work) => {
      for (const command of commands) {
        // It may run beside a server that has other work.
        await nextTurn();
        try {
          if (this.engine || command.kind === 'base') await this.repeat(work, command);
        } catch (error) {
          throw notRepeated(command, error);
        }
      }
    });
  }

  private async repeat(
    work: UnitOfWork,
    { id, kind, userId, at, details }: RecordedCommand,
  ): Promise<void> {
    this.at = timeOf(at);
    switch (kind as keyof Details) {
      case 'base': {
        // Another one is only for those who begin there.
        if (this.engine) break;
        const base = decodeDetails<Details['base']>(details);
        await this.begin(work, base);
        this.match(base, await this.termsAfter(id));
        break;
      }
      case 'start': {
        const start = decodeDetails<Details['start']>(details);
        await countNights(work.tx, start.feed, start.nightsFrom);
        this.match(start, await this.termsAfter(id));
        break;
      }
      case 'terms':
        break;
      case 'order': {
        const done = decodeDetails<Details['order']>(details);
        if (done.entryId !== undefined) this.ledger.continueAt(done.entryId);
        if (done.cause.kind === 'bust') await this.give(work, done.cause.fills);
        this.market?.see(done.market);
        await this.engine?.repeat(work, done);
        break;
      }
      case 'stops': {
        const { stops } = decodeDetails<Details['stops']>(details);
        await this.engine?.repeatStops(work, stops);
        break;
      }
      case 'open':
        await this.insertUsers(work, [userId]);
        await this.ledger.open(work.tx, userId);
        break;
      case 'erase':
        await this.ledger.erase(work.tx, decodeDetails<Details['erase']>(details).userIds);
        break;
      case 'post': {
        const { entries, entryId } = decodeDetails<Details['post']>(details);
        this.ledger.continueAt(entryId);
        await this.ledger.post(work, entries);
        break;
      }
      default:
        throw new NotRepeated(`there is no command ${kind}`);
    }
  }

  private async begin(work: UnitOfWork, base: Details['base']): Promise<void> {
    const { accounts, lastOrderId } = base;
    this.lastOrderBefore = lastOrderId;
    const owners = [...new Set(accounts.map(([owner]) => owner))];
    await this.insertUsers(
      work,
      owners.filter((owner) => owner !== BROKER),
    );
    const rows = accounts.map(([owner, kind, balance]) => ({ owner, kind, balance }));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await work.tx.insert(ledgerAccounts).values(rows.slice(from, from + ROWS_AT_ONCE));
    await this.give(work, base.orders);
  }

  private match({ feed, feeType, quoteFill, swap }: MatchingSettings, terms: RecordedTerms[]) {
    const market = new PlayedMarket(feed, terms);
    this.market = market;
    // The engine before listens to the one before.
    this.ledger = this.openLedger();
    this.engine = new MatchingEngine({
      ...{ feeType, quoteFill, swap, market },
      ...{ db: this.db, ledger: this.ledger, transactions: this.transactions },
      // What is recorded was not refused.
      limits: new ExposureLimits(new Map()),
      demoBalance: DEMO_BALANCE,
      commands: new CommandLog(0, () => this.at),
      clock: systemClock,
      log: { info() {}, warn() {}, error() {} },
      watch: noWatch,
      async onEnded() {},
      async onCorrected() {},
      onChange() {},
      onEarned() {},
    });
  }

  /** Writes orders that were placed before the first command. */
  private async give(work: UnitOfWork, given: readonly OrderState[]): Promise<void> {
    const missing = given.filter(({ id }) => id <= this.lastOrderBefore && !this.given.has(id));
    for (let from = 0; from < missing.length; from += ROWS_AT_ONCE)
      await work.tx.insert(orders).values(missing.slice(from, from + ROWS_AT_ONCE));
    for (const { id } of missing) this.given.add(id);
  }

  /** Nobody: all that is known of users is their number. */
  private async insertUsers({ tx }: UnitOfWork, ids: readonly number[]): Promise<void> {
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const rows = ids.slice(from, from + ROWS_AT_ONCE).map((id) => ({
        ...{ id, uid: String(id), isDemo: true, createdAt: new Date(0) },
      }));
      await tx.insert(users).values(rows);
    }
  }
}

function notRepeated({ id, kind, at }: RecordedCommand, error: unknown): unknown {
  const what = `command ${id} (${kind}, ${at.toISOString()})`;
  if (error instanceof Refusal) return new NotRepeated(`${what} is refused: ${error.key}`);
  return new NotRepeated(`${what} can't be done: ${errorText(error)}`, { cause: error });
}
