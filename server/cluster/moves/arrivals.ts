import { and, eq, inArray, ne } from 'drizzle-orm';
import { negate, toFixed } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import type { Departures } from '../../account/departures';
import { errorText } from '../../core/errorText';
import type { Log } from '../../core/log';
import type { Db } from '../../db/database';
import { movedSessions, moves, pictures, sessions, users } from '../../db/schema';
import type { Transactions, UnitOfWork } from '../../db/transactions';
import { isUnavailable } from '../../db/unavailable';
import { arrivalEntry, takenAlong } from '../../ledger/entries';
import { LEDGER_SCALE, type Ledger } from '../../ledger/ledger';
import type { MatchingEngine } from '../../trading/matchingEngine';
import type { Pictures } from '../../uploads/pictures';
import { type Bus, fromJson, SUBJECTS, toJson } from '../bus';
import { type AccountRows, writeAccount } from './accountRows';
import { type Move, type MoveAnswer, type MoveStep, ReceivedParts } from './steps';

/** What both ends of a move need. */
export interface MoveParts {
  db: Db;
  bus: Bus;
  /** This engine. */
  shard: number;
  transactions: Transactions;
  ledger: Ledger;
  engine: Pick<MatchingEngine, 'admit' | 'dismiss'>;
  pictures: Pictures;
  departures: Departures;
  log: Log;
  /** The wall clock. */
  now(): UnixMs;
  /** An account has come, has left, or stays after all: what is in memory of it is read again. */
  onMoved(): void;
}

/** Accounts that come from other engines: the side of a move that decides, by one transaction, where the account is. */
export class Arrivals {
  private readonly options: MoveParts;
  private readonly parts = new ReceivedParts();

  constructor(options: MoveParts) {
    this.options = options;
  }

  /** Once everything runs. */
  start(): void {
    const { bus, shard } = this.options;
    bus.answer(SUBJECTS.move(shard), async (data) => toJson(await this.take(fromJson(data))));
  }

  private async take(step: MoveStep): Promise<MoveAnswer> {
    switch (step.step) {
      case 'ask':
        return this.canCome(step);
      case 'part':
        this.parts.add(step);
        return {};
      case 'arrive':
        return this.arrive(step.move);
      case 'settle':
        return this.settle(step.move);
      case 'picture':
        return this.keepPicture(step);
      case 'finished':
        return this.isFinished(step.id);
    }
  }

  private async canCome({ userId, uid }: { userId: number; uid: string }): Promise<MoveAnswer> {
    const others = and(eq(users.uid, uid), ne(users.id, userId));
    const taken = (await this.options.db.$count(users, others)) > 0;
    return taken ? { refusal: `Engine ${this.options.shard} has another user ${uid}.` } : {};
  }

  private async arrive(move: Move): Promise<MoveAnswer> {
    const { transactions, engine, departures, onMoved, log } = this.options;
    const { userId, since } = move;
    try {
      const account = JSON.parse(this.parts.take(move.from).toString()) as AccountRows;
      // Who knows already that it is here waits until it is matched.
      await departures.begin(userId);
      await transactions.runLong(
        async ({ tx }) => {
          // First: a move that was cancelled is here, and its account must not come any more.
          await tx.insert(moves).values(this.rowOf(move, 'arrived'));
          await writeAccount(tx, userId, account);
        },
        (work) => this.book(work, move),
      );
      await transactions.exclusively(() => {
        departures.stay(userId);
        return engine.admit(userId, since);
      });
      onMoved();
      return {};
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.warn(`the account of user ${move.uid} did not come: ${errorText(error)}`);
      return { refusal: reasonOf(error) };
    } finally {
      departures.stay(userId);
    }
  }

  private async book(work: UnitOfWork, move: Move): Promise<void> {
    const { ledger } = this.options;
    const { tx } = work;
    const { id, userId } = move;
    await ledger.adopt(tx, userId);
    const broker = await ledger.brokerSide(tx, [userId]);
    const entry = arrivalEntry({ user: userId, engine: move.from }, broker);
    await ledger.post(work, [entry]);
    const amount = toFixed(negate(takenAlong(entry)), LEDGER_SCALE);
    await tx.update(moves).set({ amount }).where(eq(moves.id, id));
    const hashes = tx
      .select({ hash: sessions.tokenHash })
      .from(sessions)
      .where(eq(sessions.userId, userId));
    await tx.delete(movedSessions).where(inArray(movedSessions.tokenHash, hashes));
  }

  private async settle(move: Move): Promise<MoveAnswer> {
    const state = await this.options.db.transaction(async (tx) => {
      await tx.insert(moves).values(this.rowOf(move, 'cancelled')).onConflictDoNothing();
      const [known] = await tx
        .select({ state: moves.state })
        .from(moves)
        .where(eq(moves.id, move.id));
      return known?.state;
    });
    return { yes: state === 'arrived' };
  }

  private async keepPicture({ from, id }: { from: number; id: string }): Promise<MoveAnswer> {
    const { db, pictures: files } = this.options;
    const file = this.parts.take(from);
    // A file without a row would never be deleted.
    if ((await db.$count(pictures, eq(pictures.id, id))) > 0) await files.put(id, file);
    return {};
  }

  private async isFinished(id: string): Promise<MoveAnswer> {
    const [known] = await this.options.db
      .select({ state: moves.state })
      .from(moves)
      .where(eq(moves.id, id));
    return { yes: known?.state === 'left' };
  }

  private rowOf({ id, userId, uid, from, since }: Move, state: 'arrived' | 'cancelled') {
    const createdAt = new Date(this.options.now());
    return { id, userId, uid, shard: from, state, since: new Date(since), createdAt };
  }
}

/** What the database says, without the query and its rows. */
function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return reason instanceof Error ? reason.message : String(reason);
}
