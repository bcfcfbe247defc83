import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { add, toFixed, ZERO } from '#domain/core/decimal';
import { CENTS, toUsd, type Usd } from '#domain/core/units';
import type { Db } from '../../../server/db/database';
import {
  answers,
  journalEntries,
  ledgerAccounts,
  orders,
  postings,
} from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { ENTRY_TYPES } from '../../../server/ledger/entries';
import { financialRecords } from '../../../server/ledger/records';
import { inTurn } from '../../helpers/samples';
import { onEachDatabase } from '../support/database';
import { mortalDatabase } from '../support/mortalDatabase';
import { expectReplayed } from '../support/replayed';
import { emptyTables } from '../support/tables';
import { KILLED_SCENES, type KilledScene } from './killedScenes';
import { TwoUsers } from './twoUsers';

/** A sequence keeps what a transaction that was rolled back has drawn: the next order has the same number again. */
const RENUMBER = sql`select setval('orders_id_seq', (select max(id) from orders))`;

/** Of so many moments one is played again (server/commands/): it takes longer than what is tested. */
const PLAYED_ONCE_IN = 4;

/** All that is booked, but for when it was and the price of an order that ended unfilled then. */
async function booked(db: Db) {
  const { owner, kind, balance } = ledgerAccounts;
  const moved = await db
    .select({ entry: journalEntries, posting: postings })
    .from(postings)
    .innerJoin(journalEntries, eq(journalEntries.id, postings.entryId));
  const kept = await db.select().from(orders).orderBy(asc(orders.id));
  return {
    orders: kept.map(({ completedAt, chargedUntil, closePrice, filledAt, ...order }) => ({
      ...order,
      closePrice: order.closeReason === 'expired' ? undefined : closePrice,
      isEnded: completedAt !== null,
      isCharged: chargedUntil !== null,
      isFilled: filledAt !== null,
    })),
    balances: await db.select({ owner, kind, balance }).from(ledgerAccounts).orderBy(owner, kind),
    moved: moved
      .map(({ entry, posting: { owner, kind, amount } }) =>
        JSON.stringify([entry.kind, entry.orderId, entry.params, owner, kind, amount]),
      )
      .sort(),
    answers: await db
      .select({ key: answers.key, envelope: answers.envelope })
      .from(answers)
      .orderBy(answers.key),
  };
}

/** The lists of a user's orders tell the swap that its records tell. */
async function expectSwapOfRecords(db: Db, { ids, trading }: TwoUsers): Promise<void> {
  const sum = (values: readonly (string | undefined)[]) =>
    toFixed(
      values.reduce<Usd>((total, value) => add(total, toUsd(value ?? '')), ZERO),
      CENTS,
    );
  for (const id of ids) {
    const { list } = await financialRecords(db, id, { page: 1, limit: 500 }, 'en');
    const nights = list.filter(({ Type }) => Type === ENTRY_TYPES.swap);
    const lists = await Promise.all(
      [1, 3].map((status) => trading.portfolio.page(id, status, 1, 1)),
    );
    expect(sum(lists.map(({ all_swap }) => all_swap))).toBe(sum(nights.map(({ Value }) => Value)));
  }
}

onEachDatabase((database) => {
  async function given(scene: KilledScene, savesPosition: boolean): Promise<TwoUsers> {
    await emptyTables(database.db);
    const users = new TwoUsers(savesPosition);
    await users.tick(1.1);
    await users.start(database.db);
    await scene.given(users);
    users.trading.close();
    return users;
  }

  /** A process that does it, and is killed once `lives` returns false. */
  async function act(users: TwoUsers, scene: KilledScene, lives = () => true): Promise<void> {
    let isAtWork = false;
    await users.start(mortalDatabase(database.db, () => !isAtWork || lives()));
    isAtWork = true;
    const { trading } = users;
    trading.published.length = 0;
    try {
      await scene.act(users);
    } catch (error) {
      if (lives()) throw error;
    } finally {
      trading.close();
      expect(trading.errors).toEqual([]);
    }
  }

  /** A process that goes on after its connection broke at a moment: asked again, it does it. */
  async function actAgain(users: TwoUsers, scene: KilledScene, brokenAt: number): Promise<void> {
    const { db } = database;
    let moment = Number.NEGATIVE_INFINITY;
    await users.start(mortalDatabase(db, () => moment++ !== brokenAt));
    moment = 0;
    await scene.act(users).catch(() => {});
    await db.execute(RENUMBER);
    await scene.act(users);
    users.trading.close();
    expect(users.trading.errors).toEqual([]);
  }

  describe.each([
    ['whose transactions save the position of the market', true],
    ['whose market keeps its own position', false],
  ])('a process %s, killed or cut off at each moment of', (_, savesPosition) => {
    for (const [name, scene] of Object.entries(KILLED_SCENES)) {
      inTurn(it)(name, async () => {
        const { db } = database;
        const undisturbed = await given(scene, savesPosition);
        const before = await booked(db);
        let moments = 0;
        await act(undisturbed, scene, () => moments++ >= 0);
        const after = await booked(db);
        expect(after).not.toEqual(before);
        const ends = after.orders.map(({ closeReason, status }) => closeReason || status);
        expect(ends).toEqual(scene.becomes);
        await act(undisturbed, scene);
        expect(await booked(db)).toEqual(after);
        expect(await audit(db)).toEqual([]);
        await expectReplayed(database);
        await expectSwapOfRecords(db, undisturbed);

        for (let killedAt = 0; killedAt < moments; killedAt++) {
          const users = await given(scene, savesPosition);
          let moment = 0;
          await act(users, scene, () => moment++ < killedAt);
          const left = await booked(db);
          if (!scene.inParts) expect([before, after]).toContainEqual(left);
          // Nobody is told of what is not kept.
          const isTold = users.isAnswered || users.trading.published.length > 0;
          if (isTold && !scene.inParts) expect(left).toEqual(after);
          await db.execute(RENUMBER);
          await act(users, scene);
          expect(await booked(db), `killed at moment ${killedAt}`).toEqual(after);
          if (killedAt % PLAYED_ONCE_IN === 0) await expectReplayed(database);
        }
        for (let brokenAt = 0; brokenAt < moments && !scene.inParts; brokenAt++) {
          await actAgain(await given(scene, savesPosition), scene, brokenAt);
          expect(await booked(db), `cut off at moment ${brokenAt}`).toEqual(after);
          if (brokenAt % PLAYED_ONCE_IN === 0) await expectReplayed(database);
        }
      });
    }
  });
});
