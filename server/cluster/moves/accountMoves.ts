import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { toFixed } from '#domain/core/decimal';
import { timeOf, toDurationMs, type UnixMs } from '#domain/core/time';
import { namesOf } from '../../account/directory';
import type { Sessions } from '../../account/sessions';
import type { Clock } from '../../core/clock';
import { RepeatedTask } from '../../core/repeatedTask';
import { SerialQueue } from '../../core/serialQueue';
import type { Tx } from '../../db/database';
import { keepLastIds } from '../../db/idRange';
import { ledgerAccounts, movedSessions, moves, pictures, sessions, users } from '../../db/schema';
import type { UnitOfWork } from '../../db/transactions';
import { departureEntry, takenAlong } from '../../ledger/entries';
import { LEDGER_SCALE } from '../../ledger/ledger';
import type { ClusterDirectory } from '../directories';
import { deleteAccount, readAccount } from './accountRows';
import type { MoveParts } from './arrivals';
import { askEngine, type Move, sendParts } from './steps';

export interface AccountMoveOptions extends MoveParts {
  directory: Pick<ClusterDirectory, 'relocate'>;
  sessions: Sessions;
  clock: Clock;
  marketNow(): UnixMs;
  /** The user's websockets connect again. */
  restartUser(userId: number): void;
}

type Begun = (tx: Tx) => Promise<void>;

/** How a move has ended. */
type MoveOutcome =
  | { type: 'moved' }
  /** The account is here as before. */
  | { type: 'kept'; reason: string }
  /** The other engine does not say whether it has the account. */
  | { type: 'open' };

/** A move that could not be settled is tried again this often. */
const SETTLED_EVERY_MS = toDurationMs(2_000);
/** Most that a move waits for calls of the user to end. */
const CALLS_END_MS = toDurationMs(15_000);

/**
 * Accounts that leave this engine for others (architecture.md#moving-an-account, D131). An account that leaves is frozen
 * until the other engine has said whether it has it: whatever ends in between, it is used at one engine at most.
 */
export class AccountMoves {
  private readonly options: AccountMoveOptions;
  private readonly task: RepeatedTask;
  /** One move at a time. */
  private readonly queue = new SerialQueue();

  constructor(options: AccountMoveOptions) {
    const { clock, log } = options;
    this.options = options;
    const run = () => this.queue.run(() => this.settleAll());
    this.task = new RepeatedTask({ name: 'moves', every: SETTLED_EVERY_MS, clock, log, run });
  }

  /** Before any call is taken: goes on with what an earlier process has begun. */
  async start(): Promise<void> {
    for (const { userId } of await this.leaving()) await this.options.departures.begin(userId);
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /**
   * Moves the account of a user to another engine. Throws where it can't be moved any more. `begun` writes in the
   * transaction after which it leaves.
   */
  move(userId: number, uid: string, to: number, begun: Begun): Promise<MoveOutcome> {
    return this.queue.run(() => this.moveAlone(userId, uid, to, begun));
  }

  private async moveAlone(
    userId: number,
    uid: string,
    to: number,
    begun: Begun,
  ): Promise<MoveOutcome> {
    const { bus, db, shard: from, departures, restartUser, log } = this.options;
    departures.check(userId);
    if (!(await this.callsEnd(userId))) {
      departures.stay(userId);
      return { type: 'kept', reason: 'Calls of the user do not end.' };
    }
    const move = await this.freeze({ id: randomUUID(), userId, uid, from, to }, begun);
    try {
      restartUser(userId);
      let reason = `Engine ${to} does not answer.`;
      try {
        await sendParts(bus, from, to, Buffer.from(JSON.stringify(await readAccount(db, userId))));
        const { refusal } = await askEngine(bus, to, { step: 'arrive', move });
        reason = refusal ?? reason;
      } catch (error) {
        log.warn(`move of user ${uid}: ${(error as Error).message}`);
      }
      return (await this.settle(move)) ? { type: 'moved' } : { type: 'kept', reason };
    } catch (error) {
      log.warn(`move of user ${uid}: ${(error as Error).message}`);
      return { type: 'open' };
    }
  }

  /** The engine to which the account of this number has left. */
  async placeOf(uid: string): Promise<number | undefined> {
    const [left] = await this.options.db
      .select({ shard: moves.shard })
      .from(moves)
      .where(and(eq(moves.uid, uid), eq(moves.state, 'left')))
      .orderBy(desc(moves.createdAt))
      .limit(1);
    return left?.shard;
  }

  /** Why the account can't move on; undefined where it can. */
  async obstacle(userId: number, uid: string, to: number): Promise<string | undefined> {
    const { db, bus } = this.options;
    if ((await this.leaving()).some((move) => move.userId === userId)) {
      return 'The account is on its way already; that goes on by itself.';
    }
    const [came] = await db
      .select({ id: moves.id, shard: moves.shard })
      .from(moves)
      .where(and(eq(moves.userId, userId), eq(moves.state, 'arrived')))
      .orderBy(desc(moves.createdAt))
      .limit(1);
    if (came) {
      const { yes } = await askEngine(bus, came.shard, { step: 'finished', id: came.id });
      if (!yes) return `Engine ${came.shard} has not finished the last move of the account.`;
    }
    return (await askEngine(bus, to, { step: 'ask', userId, uid })).refusal;
  }

  /** From now on calls are refused. Resolves with whether those that run have ended. */
  private callsEnd(userId: number): Promise<boolean> {
    const { departures, clock } = this.options;
    return new Promise((resolve) => {
      const cancel = clock.after(CALLS_END_MS, () => resolve(false));
      void departures.begin(userId).then(() => {
        cancel();
        resolve(true);
      });
    });
  }

  private async freeze(frozen: Omit<Move, 'since'>, begun: Begun): Promise<Move> {
    const { transactions, engine, departures, marketNow, now } = this.options;
    const { id, userId, uid, to } = frozen;
    try {
      return await transactions.exclusively(async () => {
        const since = marketNow();
        await transactions.runNested(async ({ tx }) => {
          // Locked: a call whose connection broke may still be committing.
          const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
          if (!user) throw new Error(`user ${uid} is gone`);
          await tx
            .select()
            .from(ledgerAccounts)
            .where(eq(ledgerAccounts.owner, userId))
            .for('update');
          await tx.insert(moves).values({
            ...{ id, userId, uid, shard: to, state: 'leaving' as const },
            ...{ since: new Date(since), createdAt: new Date(now()) },
          });
          await begun(tx);
        });
        engine.dismiss(userId);
        return { ...frozen, since };
      });
    } catch (error) {
      departures.stay(userId);
      throw error;
    }
  }

  private async leaving(): Promise<Move[]> {
    const { db, shard: from } = this.options;
    const rows = await db.select().from(moves).where(eq(moves.state, 'leaving'));
    return rows.map(({ id, userId, uid, shard: to, since }) => ({
      ...{ id, userId, uid, from, to },
      since: timeOf(since),
    }));
  }

  private async settleAll(): Promise<void> {
    for (const move of await this.leaving()) {
      const has = await this.settle(move);
      const where = has ? `at engine ${move.to}` : 'here';
      this.options.log.info(`move of user ${move.uid}: the account is ${where}.`);
    }
  }

  /** Ends a move, and returns whether the account is at the other engine. Throws where that does not answer. */
  private async settle(move: Move): Promise<boolean> {
    const { yes } = await askEngine(this.options.bus, move.to, { step: 'settle', move });
    if (yes) await this.finish(move);
    else await this.release(move);
    return yes ?? false;
  }

  /** The account is at the other engine: what is left here is sent after it, or deleted. Can be repeated. */
  private async finish({ id, userId, from, to }: Move): Promise<void> {
    const { db, bus, directory, transactions, pictures: files, departures, onMoved } = this.options;
    const owned = await db
      .select({ id: pictures.id })
      .from(pictures)
      .where(eq(pictures.ownerId, userId));
    for (const picture of owned) {
      const file = await files.read(picture.id);
      if (!file) continue;
      await sendParts(bus, from, to, file);
      await askEngine(bus, to, { step: 'picture', from, id: picture.id });
    }
    const [user] = await db.select().from(users).where(eq(users.id, userId));
    if (user) await directory.relocate(namesOf(user), to);
    await transactions.run((work) => this.erase(work, id, userId, to));
    departures.end(userId, to);
    this.options.sessions.forgetAll();
    onMoved();
    await files.drop(owned.map((picture) => picture.id));
  }

  private async erase(work: UnitOfWork, id: string, userId: number, to: number): Promise<void> {
    const { ledger } = this.options;
    const { tx } = work;
    const own = await tx
      .select({ tokenHash: sessions.tokenHash })
      .from(sessions)
      .where(eq(sessions.userId, userId));
    if (own.length > 0) {
      await tx
        .insert(movedSessions)
        .values(own.map(({ tokenHash }) => ({ tokenHash, shard: to })))
        .onConflictDoUpdate({ target: movedSessions.tokenHash, set: { shard: to } });
    }
    const broker = await ledger.brokerSide(tx, [userId]);
    const entry = departureEntry({ user: userId, engine: to }, broker);
    await keepLastIds(tx);
    await ledger.erase(tx, [userId]);
    await ledger.post(work, [entry]);
    await deleteAccount(tx, userId);
    const amount = toFixed(takenAlong(entry), LEDGER_SCALE);
    await tx.update(moves).set({ state: 'left', amount }).where(eq(moves.id, id));
  }

  /** The account stays. */
  private async release({ id, userId, since }: Move): Promise<void> {
    const { transactions, engine, departures, onMoved } = this.options;
    await transactions.exclusively(async () => {
      await transactions.runNested(({ tx }) => tx.delete(moves).where(eq(moves.id, id)));
      departures.stay(userId);
      await engine.admit(userId, since);
    });
    onMoved();
  }
}
