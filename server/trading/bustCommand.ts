import { and, eq } from 'drizzle-orm';
import { add, sign, toFixed, toText, ZERO } from '#domain/core/decimal';
import { readPrice } from '#domain/core/readAmounts';
import { isSingleLine } from '#domain/core/text';
import { timeAfter, timeBefore, timeOf, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Usd } from '#domain/core/units';
import { PROFIT_SCALE } from '#domain/trading/profit';
import { type AdminActions, type Operator, Unconfirmed } from '../admin/actions';
import { type AdminCommand, BadCommand, instrumentNamed } from '../admin/commands';
import type { Db } from '../db/database';
import { isAnyOf } from '../db/isAnyOf';
import { users, withdrawals } from '../db/schema';
import type { Transactions } from '../db/transactions';
import type { Market } from '../market/market';
import type { Bust, Busted } from './bust';
import { columns } from './exposures';
import type { MatchingEngine } from './matchingEngine';
import { usersOfFills } from './orderStore';

export interface BustParts {
  db: Db;
  market: Market;
  transactions: Transactions;
  actions: AdminActions;
  engine: MatchingEngine;
}

const OPTIONS = ['instrument', 'from', 'to', 'price', 'reason'] as const;
type Option = (typeof OPTIONS)[number];

const ONE_MS = toDurationMs(1);
const LONGEST_REASON = 200;
/** Users that a plan lists; all are in its sum. */
const MOST_LISTED = 50;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/;

/**
 * The command that undoes or corrects fills (domain.md#bust). Each user's are one transaction; where it is cut off, the same command does
 * the rest, because what is done is among these fills no more (D181).
 */
export function bustCommand(parts: BustParts): AdminCommand {
  return {
    name: 'bust',
    async run(operator, args, stopping) {
      const bust = readBust(parts.market, args);
      const found = await usersOfFills(parts.db, parts.market.feed, bust);
      const plan = await planOf(parts, bust, found, stopping);
      if (plan.length === 0) {
        // That of a replay is not the one on the wall.
        const clock = new Date(parts.market.now()).toISOString();
        throw new BadCommand(
          `There are no such fills, or they are done. The market's clock: ${clock}`,
        );
      }
      refuseAtWrongPrice(parts.market, bust, plan);
      await refuseUndecided(parts.db, plan);
      const table = (busted: UsersBusted, verb: string) => tableOf(parts.db, bust, busted, verb);
      if (!operator.confirmed) throw new Unconfirmed(await table(plan, 'would be'));
      return table(await carryOut(parts, operator, bust, plan, stopping), 'are');
    },
  };
}

type UsersBusted = (readonly [userId: number, Busted])[];

/** What would change, by user. */
async function planOf(
  parts: BustParts,
  bust: Bust,
  ids: readonly number[],
  stopping: AbortSignal,
): Promise<UsersBusted> {
  const { transactions, engine } = parts;
  const plan: [number, Busted][] = [];
  for (const id of ids) {
    stopping.throwIfAborted();
    plan.push([id, await transactions.run((work) => engine.planBust(work, id, bust))]);
  }
  return plan.filter(
    ([, { annulled, reopened, corrected }]) => annulled + reopened + corrected > 0,
  );
}

/** Positions would be valued at a wrong price, and the next tick of any instrument would stop out what else their users hold. */
function refuseAtWrongPrice(market: Market, { code, from, to }: Bust, plan: UsersBusted): void {
  const quote = market.quote(instrumentNamed(market, code).id);
  if (!quote || !plan.some(([, { holds }]) => holds)) return;
  const isHalted = quote.closedReason === 'halted';
  if (!isHalted && (quote.time < from || quote.time > to)) return;
  throw new BadCommand(
    isHalted
      ? `Users will hold ${code}, which is closed: its last price could stop them out. Open it first, once its price is right.`
      : `Users will hold ${code}, whose latest price is of this time: it could stop them out. Repeat this after the next price.`,
  );
}

/** A withdrawal under review freezes money that can still be taken back. Lifted now, it would be the user's once that is rejected. */
async function refuseUndecided(db: Db, busted: UsersBusted): Promise<void> {
  const lacking = busted.filter(([, { lifts, balance }]) => sign(lifts) > 0 || sign(balance) < 0);
  if (lacking.length === 0) return;
  const ids = lacking.map(([id]) => id);
  const waiting = await db
    .select({ id: withdrawals.id, amount: withdrawals.number, uid: users.uid })
    .from(withdrawals)
    .innerJoin(users, eq(users.id, withdrawals.userId))
    .where(and(eq(withdrawals.status, 'reviewing'), isAnyOf(users.id, ids)))
    .orderBy(withdrawals.id)
    .limit(MOST_LISTED);
  if (waiting.length === 0) return;
  const names = waiting.map(({ id, amount, uid }) => `withdrawal ${id} of ${amount} USD (${uid})`);
  throw new BadCommand(
    `Under review, of users who would lack money: ${names.join(', ')}. Lock these users, decide, then repeat this.`,
  );
}

async function carryOut(
  { db, actions, engine }: BustParts,
  operator: Operator,
  bust: Bust,
  plan: UsersBusted,
  stopping: AbortSignal,
): Promise<UsersBusted> {
  const owners = await ownersOf(db, plan);
  const done: [number, Busted][] = [];
  for (const [id] of plan) {
    stopping.throwIfAborted();
    const user = { id, uid: owners.get(id) ?? String(id) };
    const action = { action: 'bust', subject: bust.code, user, reason: bust.reason };
    await actions.run(operator, action, async (work) => {
      const busted = await engine.bust(work, id, bust);
      await refuseUndecided(work.tx, [[id, busted]]);
      done.push([id, busted]);
      return `${described(busted)}${bust.price ? ` at ${toText(bust.price)}` : ''}.`;
    });
  }
  return done;
}

function described({
  annulled,
  reopened,
  corrected,
}: Pick<Busted, 'annulled' | 'reopened' | 'corrected'>): string {
  return [
    annulled > 0 ? `${annulled} annulled` : [],
    reopened > 0 ? `${reopened} opened again` : [],
    corrected > 0 ? `${corrected} corrected` : [],
  ]
    .flat()
    .join(', ');
}

async function tableOf(
  db: Db,
  { code, from, to }: Bust,
  busted: UsersBusted,
  verb: string,
): Promise<string> {
  const uids = await ownersOf(db, busted.slice(0, MOST_LISTED));
  const of = (pick: (each: Busted) => number) =>
    busted.reduce((sum, [, each]) => sum + pick(each), 0);
  const all = {
    annulled: of(({ annulled }) => annulled),
    reopened: of(({ reopened }) => reopened),
    corrected: of(({ corrected }) => corrected),
  };
  const usd = (amount: Usd) => toFixed(amount, PROFIT_SCALE);
  const total = (pick: (each: Busted) => Usd) =>
    usd(busted.reduce<Usd>((sum, [, each]) => add(sum, pick(each)), ZERO));
  const [first, end] = [from, timeAfter(to, ONE_MS)].map((time) => new Date(time).toISOString());
  return [
    `${code} from ${first} to ${end}`,
    ...columns([
      ['user', 'orders', 'gains USD', 'lifted USD', 'balance then'],
      ...busted
        .slice(0, MOST_LISTED)
        .map(([id, each]) => [
          uids.get(id) ?? String(id),
          String(each.annulled + each.reopened + each.corrected),
          usd(each.gain),
          usd(each.lifts),
          usd(each.balance),
        ]),
    ]),
    `Orders of ${busted.length} users ${verb} changed: ${described(all)}. Customers gain ${total(({ gain }) => gain)} USD in all.`,
    `The broker lifts ${total(({ lifts }) => lifts)} USD.`,
  ].join('\n');
}

async function ownersOf(db: Db, busted: UsersBusted): Promise<Map<number, string>> {
  const ids = busted.map(([id]) => id);
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, uid: users.uid })
    .from(users)
    .where(isAnyOf(users.id, ids));
  return new Map(rows.map(({ id, uid }) => [id, uid]));
}

function readBust(market: Market, args: readonly string[]): Bust {
  const given = readOptions(args);
  const instrument = instrumentNamed(market, given.get('instrument') ?? '');
  const from = readTime(given, 'from');
  // At the first right price fills are right.
  const to = timeBefore(readTime(given, 'to'), ONE_MS);
  if (from > to) throw new BadCommand('--to has to be after --from.');
  // What happens from now on may be closed again and again.
  if (to >= market.now()) throw new BadCommand('--to has to be in the past.');
  const reason = given.get('reason')?.trim() ?? '';
  if (!reason) throw new BadCommand('This needs --reason, which the users read.');
  if (!isSingleLine(reason) || reason.length > LONGEST_REASON) {
    throw new BadCommand(`The reason is one line of up to ${LONGEST_REASON} characters.`);
  }
  const text = given.get('price');
  const price = readPrice(text);
  if (text !== undefined && (!price || sign(price) <= 0 || price.scale > instrument.precision)) {
    throw new BadCommand(`${text} is no price with up to ${instrument.precision} decimals.`);
  }
  return { code: instrument.code, from, to, price, reason };
}

/** `--name value` pairs. */
function readOptions(args: readonly string[]): ReadonlyMap<Option, string> {
  const given = new Map<Option, string>();
  for (let at = 0; at < args.length; at += 2) {
    const name = OPTIONS.find((each) => args[at] === `--${each}`);
    const value = args[at + 1];
    if (!name || value === undefined || given.has(name)) {
      throw new BadCommand(
        `bust --instrument CODE --from TIME --to TIME --reason TEXT [--price P], not ${args[at]}.`,
      );
    }
    given.set(name, value);
  }
  return given;
}

function readTime(given: ReadonlyMap<Option, string>, name: 'from' | 'to'): UnixMs {
  const text = given.get(name) ?? '';
  const time = new Date(text);
  // The 31st of November would be the 1st of December.
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 16));
  if (!TIME.test(text) || !exists) {
    throw new BadCommand(`--${name} needs a time in UTC such as 2026-11-29T14:05:00Z.`);
  }
  return timeOf(time);
}
