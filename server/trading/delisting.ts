import { add, sign, toFixed, toText, ZERO } from '#domain/core/decimal';
import { readPrice } from '#domain/core/readAmounts';
import type { Price, Usd } from '#domain/core/units';
import { type OrderState, profitAt } from '#domain/trading/orderState';
import { PROFIT_SCALE } from '#domain/trading/profit';
import { type AdminActions, type Operator, Unconfirmed } from '../admin/actions';
import { type AdminCommand, BadCommand } from '../admin/commands';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import { isAnyOf } from '../db/isAnyOf';
import { users } from '../db/schema';
import { ofCode } from '../market/code';
import type { Market } from '../market/market';
import type { MatchingEngine } from './matchingEngine';
import { loadDelistedOrders } from './orderStore';

export interface DelistingParts {
  db: Db;
  market: Market;
  actions: AdminActions;
  engine: MatchingEngine;
  log: Log;
}

/**
 * Open orders in instruments that the market has no more: the operator ends them (domain.md#delisting). They do not
 * end by themselves, because a pair that is missing from a list may be in maintenance.
 */
export class Delisting {
  private readonly parts: DelistingParts;
  /** Without arguments it lists them. */
  readonly command: AdminCommand = {
    name: 'delisted',
    run: (operator, [code, price], stopping) =>
      code === undefined ? this.list() : this.end(operator, code, price, stopping),
  };

  constructor(parts: DelistingParts) {
    this.parts = parts;
  }

  /** Tells the operator that there are some. */
  async warn(): Promise<void> {
    const codes = codesOf(await this.load());
    if (codes.length === 0) return;
    const listed = codes.join(', ');
    this.parts.log.warn(
      `open orders are in instruments that the market has no more (${listed}): npm run admin -- delisted`,
    );
  }

  private load(): Promise<OrderState[]> {
    const { db, market } = this.parts;
    return loadDelistedOrders(db, market.feed, new Set(market.instruments.map(({ code }) => code)));
  }

  private async list(): Promise<string> {
    const open = await this.load();
    const lines = codesOf(open).map((code) => {
      const { positions, pending, users } = counted(open.filter((order) => order.code === code));
      return `${code}  ${positions}, ${pending}, of ${users}`;
    });
    return lines.join('\n') || 'The market has the instruments of all open orders.';
  }

  private async end(
    operator: Operator,
    name: string,
    text: string | undefined,
    stopping: AbortSignal,
  ): Promise<string> {
    const delisted = await this.load();
    const [code, ...more] = codesOf(ofCode(delisted, name));
    if (code === undefined) throw new BadCommand(`No open order is in a delisted ${name}.`);
    if (more.length > 0) throw new BadCommand(`Which one? ${[code, ...more].join(', ')}`);
    const open = delisted.filter((order) => order.code === code);
    const price = readPrice(text);
    const { precision } = open.reduce((a, b) => (a.precision > b.precision ? a : b));
    if (!price || sign(price) <= 0 || price.scale > precision) {
      throw new BadCommand(
        `This needs the price at which positions close, with up to ${precision} decimals.`,
      );
    }
    if (!operator.confirmed) throw new Unconfirmed(summary(open, price, 'would close'));
    const { db, actions, engine } = this.parts;
    const owners = await db
      .select({ id: users.id, uid: users.uid })
      .from(users)
      .where(isAnyOf(users.id, new Set(open.map((order) => order.userId))));
    const ended: OrderState[] = [];
    for (const user of owners) {
      stopping.throwIfAborted();
      await actions.run(operator, { action: 'delisted', subject: code, user }, async (work) => {
        const orders = await engine.endDelisted(work, user.id, code, price);
        ended.push(...orders);
        return summary(orders, price, 'closed');
      });
    }
    return summary(ended, price, 'closed');
  }
}

const codesOf = (orders: readonly OrderState[]) =>
  [...new Set(orders.map(({ code }) => code))].sort();

const counts = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function counted(orders: readonly OrderState[]) {
  const held = orders.filter(isPosition);
  return {
    positions: counts(held.length, 'position'),
    pending: counts(orders.length - held.length, 'pending order'),
    users: counts(new Set(orders.map(({ userId }) => userId)).size, 'user'),
  };
}

/** A position, also one that has ended: a pending order has no price. */
const isPosition = ({ price }: OrderState) => sign(price) > 0;

function summary(orders: readonly OrderState[], price: Price, verb: string): string {
  const { positions, pending, users } = counted(orders);
  const profit = orders
    .filter(isPosition)
    .reduce<Usd>((sum, order) => add(sum, profitAt(order, price)), ZERO);
  return `${positions} and ${pending} of ${users} ${verb}: positions at ${toText(price)}, for ${toFixed(profit, PROFIT_SCALE)} USD in all.`;
}
