/** A practice session: a past day that is played and traded on this device alone (domain.md#practice). */

import { compare, isZero, ZERO } from '../core/decimal';
import { readLots, readPrice } from '../core/readAmounts';
import type { Message } from '../core/rule';
import { toUnixMs, type UnixMs } from '../core/time';
import type { Lots, Usd } from '../core/units';
import type { Instrument } from '../market/instrument';
import type { Bar } from '../market/kline';
import { type AmendmentInput, amendedTicket } from '../trading/amendment';
import type { QuoteFill } from '../trading/fill';
import type { FeeType } from '../trading/margin';
import { Matching, type Outcome } from '../trading/matching';
import type { MatchedMarket, MatchedTick } from '../trading/openOrders';
import type { Order } from '../trading/order';
import { type OrderState, profitAt } from '../trading/orderState';
import { amendProblem, cancelProblem } from '../trading/rules';
import type { StagedChange } from '../trading/stagedChange';
import { requestOf, type TicketInput } from '../trading/ticketInput';
import { emptyAccount, type TradingAccount } from '../trading/tradingAccount';
import { barAfter, type PlayedDay, TICKS_PER_BAR, tickAt } from './playedBars';

/** What a session is played with; it never changes. */
export interface PracticeSetup extends PlayedDay {
  /** Its id is negative, and no server's (`practiceId`). Where it has terms of nights, they are charged. */
  instrument: Instrument;
  feeType: FeeType;
  quoteFill: QuoteFill;
  /** What it starts with, USD. */
  balance: Usd;
}

/** What its user does; amounts as plain decimals. */
export type PracticeCommand =
  | { do: 'submit'; ticket: TicketInput }
  /** `lots`: a part of them; empty: all. */
  | { do: 'close'; id: number; lots: string }
  | { do: 'cancel'; id: number }
  | { do: 'amend'; id: number; terms: AmendmentInput }
  /** Empty: none. */
  | { do: 'exits'; id: number; stopLoss: string; takeProfit: string; trailing: string }
  /** Ends the session before the day does. */
  | { do: 'end' };

/** Everything that has happened, from which the session is found again: ticks follow from the setup, and orders from both. */
export interface PracticeLog {
  /** Ticks that were played. */
  played: number;
  /** Commands that were accepted, and after how many ticks. */
  commands: readonly { after: number; command: PracticeCommand }[];
}

/** The only user of a session. */
const USER = 1;

/** The id under which a session has an instrument: no live price, bar or order is ever mixed with those of a session. */
export function practiceId(instrumentId: number): number {
  return -instrumentId;
}

/** A session as it is now: the rules of matching are the server's (`Matching`). */
export class PracticeSession {
  readonly setup: PracticeSetup;
  /** Closed orders, in the order of their ends. */
  readonly closed: OrderState[] = [];
  private readonly matching: Matching;
  private readonly commands: { after: number; command: PracticeCommand }[] = [];
  private played = 0;
  private lastTick: MatchedTick | undefined;
  private lastOrderId = 0;
  private ended = false;

  constructor(setup: PracticeSetup) {
    this.setup = setup;
    const market: MatchedMarket = {
      feed: 'practice',
      now: () => this.time,
      quote: () => this.lastTick && { ...this.lastTick, marketOpen: !this.ended },
    };
    this.matching = new Matching({
      ...setup,
      market,
      instruments: [setup.instrument],
      swap: setup.instrument.swap !== undefined,
    });
    this.matching.openOrders.replace(emptyAccount(USER, setup.balance));
  }

  /** The session of a log; undefined where the log does not fit the setup. */
  static resumed(
    setup: PracticeSetup,
    { played, commands }: PracticeLog,
  ): PracticeSession | undefined {
    const session = new PracticeSession(setup);
    for (const { after, command } of commands) {
      if (!session.playTo(after) || session.act(command).problem) return undefined;
    }
    return session.playTo(played) ? session : undefined;
  }

  get log(): PracticeLog {
    return { played: this.played, commands: [...this.commands] };
  }

  /** The market's clock: the time of the last tick. */
  get time(): UnixMs {
    return this.lastTick?.time ?? toUnixMs(0);
  }

  /** The last tick; undefined before the first one. */
  get tick(): MatchedTick | undefined {
    return this.lastTick;
  }

  get isOver(): boolean {
    return this.ended;
  }

  /** Bars that have begun. */
  get bars(): number {
    return Math.ceil(this.played / TICKS_PER_BAR);
  }

  /** The last bar as it is now. */
  get bar(): Bar | undefined {
    return barAfter(this.setup, this.played);
  }

  get account(): TradingAccount {
    return this.matching.openOrders.account(USER) ?? emptyAccount(USER, this.setup.balance);
  }

  /** Pending orders and positions, oldest first. */
  get open(): OrderState[] {
    const { pending, positions } = this.account;
    return [...pending.values(), ...[...positions.values()].map(({ order }) => order)].sort(
      (a, b) => a.id - b.id,
    );
  }

  /** An order at the present price. */
  shown(state: OrderState): Order {
    const price = this.matching.openOrders.priceOf(state);
    return {
      ...state,
      updatePrice: state.status === 'closed' ? state.closePrice : (price ?? ZERO),
      profit: state.status === 'holding' ? profitAt(state, price) : state.profit,
      until: state.until ?? undefined,
      completedAt: state.completedAt ?? undefined,
    };
  }

  /** Plays the next tick (domain.md#each-tick). The last one ends the session. Does nothing after the end. */
  play(): void {
    const tick = this.ended ? undefined : tickAt(this.setup, this.played);
    if (!tick) return;
    this.played += 1;
    this.lastTick = tick;
    const { matching } = this;
    if (matching.nights.isDue(tick.time)) {
      this.commit(matching.chargeNights(tick.time, [USER]));
      matching.nights.charged(tick.time);
    }
    const expired = matching.expire(tick.time);
    if (expired) this.commit(expired);
    if (matching.openOrders.applyTick(tick)) this.commit(matching.trigger(tick));
    if (this.played === this.setup.bars.length * TICKS_PER_BAR) this.end();
  }

  /** Plays to the end of the present bar, or the whole next one. */
  playBar(): void {
    do this.play();
    while (!this.ended && this.played % TICKS_PER_BAR > 0);
  }

  /** Does what its user wants by the rules of the server. One that breaks a rule changes nothing. */
  act(command: PracticeCommand): Outcome<OrderState | undefined> {
    if (this.ended) return { problem: { key: 'marketClosed' } };
    const outcome = this.attempt(command);
    if (!outcome.problem) this.commands.push({ after: this.played, command });
    return outcome;
  }

  private attempt(command: PracticeCommand): Outcome<OrderState | undefined> {
    const { matching } = this;
    if (command.do === 'end') {
      this.end();
      return { done: undefined };
    }
    const staged = matching.stage(USER);
    if (command.do === 'submit') {
      const request = requestOf(command.ticket);
      const { instrument } = this.setup;
      const outcome = matching.submit(staged, USER, instrument, request, () => ++this.lastOrderId);
      if (outcome.done) this.commit(staged);
      return outcome;
    }
    const order = this.find(command.id);
    if (!order) return { problem: { key: 'orderEnded' } };
    if (command.do === 'cancel') {
      const problem = cancelProblem(order.status);
      if (problem) return { problem };
      const cancelled = staged.cancel(order, 'cancelled');
      this.commit(staged);
      return { done: cancelled };
    }
    if (command.do === 'amend') {
      const problem = amendProblem(order.status);
      if (problem) return { problem };
      const { instrument } = this.setup;
      const request = requestOf(amendedTicket(order, command.terms));
      const outcome = matching.amend(staged, order, instrument, request);
      if (outcome.done) this.commit(staged);
      return outcome;
    }
    if (command.do === 'exits') {
      const outcome = matching.setExits(staged, order, {
        stopLoss: readPrice(command.stopLoss) ?? ZERO,
        takeProfit: readPrice(command.takeProfit) ?? ZERO,
        trailing: readPrice(command.trailing) ?? ZERO,
      });
      if (outcome.done) this.commit(staged);
      return outcome;
    }
    return this.close(staged, order, readLots(command.lots) ?? ZERO);
  }

  private close(staged: StagedChange, order: OrderState, lots: Lots): Outcome<OrderState> {
    const { matching } = this;
    const problem: Message | undefined = matching.closeProblem(order, ZERO);
    if (problem) return { problem };
    if (isZero(lots) || compare(lots, order.lots) === 0) {
      const closed = matching.close(staged, order);
      this.commit(staged);
      return { done: closed };
    }
    const nextId = () => ++this.lastOrderId;
    const outcome = matching.closePart(staged, order, this.setup.instrument, lots, nextId);
    if (outcome.problem) return outcome;
    this.commit(staged);
    this.closed.push(outcome.done.part);
    return { done: outcome.done.rest };
  }

  /** Closes what is open at the present price. */
  private end(): void {
    const staged = this.matching.stage(USER);
    for (const order of this.open) {
      if (order.status === 'pending') staged.cancel(order, 'cancelled');
      else this.matching.close(staged, order);
    }
    this.commit(staged);
    this.ended = true;
  }

  private find(id: number): OrderState | undefined {
    return this.open.find((order) => order.id === id);
  }

  private playTo(played: number): boolean {
    while (this.played < played && !this.ended) this.play();
    return this.played === played;
  }

  private commit(staged: StagedChange): void {
    for (const account of staged.accounts) this.matching.openOrders.replace(account);
    for (const order of staged.changed.values()) {
      if (order.status === 'closed') this.closed.push(order);
    }
  }
}
