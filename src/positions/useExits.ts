import { useState } from 'react';
import { compare, subtract, toNumber, ZERO } from '#domain/core/decimal';
import { readPrice } from '#domain/core/readAmounts';
import type { Done, Result } from '#domain/core/result';
import type { Message } from '#domain/core/rule';
import { type Price, toPrice } from '#domain/core/units';
import type { PositionWithMargin } from '#domain/trading/exits';
import type { Order } from '#domain/trading/order';
import { exitsProblem, setExitsProblem } from '#domain/trading/rules';
import { followedStop } from '#domain/trading/triggers';
import type { Exits } from '#domain/worker/trading';
import { ruleText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { watchProfit } from '../worker/trading';
import { type Call, useCall } from '../worker/useCall';
import { useProfit } from '../worker/useOrders';
import { useRow } from '../worker/useRow';
import { workerApi } from '../worker/workerApi';
import {
  distanceEntry,
  type ExitEntry,
  type ExitKind,
  emptyExitProblem,
  exitEntryOf,
  exitEntryOfOrder,
  exitEntryProblem,
  stopDistance,
  stopPrice,
  withFixed,
} from './exitEntry';
import { usePracticeOrders } from './practiceOrders';
import { offerFormerExits } from './undo';
import { useEdits } from './useEdits';

const KINDS: readonly ExitKind[] = ['stopLoss', 'takeProfit'];
/** The fields of the entries with numbers as they are typed. */
const NUMBERS = ['text'] as const;
export type ExitEntries = Record<ExitKind, ExitEntry>;

interface EditedExits {
  entries: ExitEntries;
  change(entries: Partial<ExitEntries>): void;
  /** As `EditedTerms.changed`. */
  changed: boolean;
  /** What they are computed from; undefined until the instrument is known. */
  position: PositionWithMargin | undefined;
  /** Where a stop-loss that trails at this distance is then. */
  stopAt(distance: Price): Price | undefined;
  errorOf(kind: ExitKind): string | undefined;
  /** What is wrong with neither of them alone. */
  note: string | undefined;
  /** Whether they can be saved; what is wrong is shown from then on. */
  check(): boolean;
  /** As `Call.run`. */
  save(): Promise<Result<Done<Order>> | undefined>;
  call: Call;
}

/** The exits of an order while they are edited, in a sheet or in a cell. */
export function useExits(order: Order, given?: Partial<ExitEntries>): EditedExits {
  const t = useT();
  const practice = usePracticeOrders();
  const call = useCall(practice !== undefined);
  const edits = useEdits<ExitEntries>(exitEntriesOf(order), NUMBERS, given);
  const entries = edits.terms;
  const [attempted, setAttempted] = useState(false);
  const position = usePosition(order);
  const price = useReference(order);
  const problem = exitsProblemOf(order, price, entries, position);
  const { stopLoss } = exitsOf(entries, position);
  const fixedBeside = (entries.stopLoss.trailing && readPrice(stopLoss)) || ZERO;
  return {
    entries,
    change: edits.change,
    changed: edits.changed,
    position,
    /** An unchanged distance leaves the stop-loss where it is (protocol.md#trailing-stop). */
    stopAt: (trailing) =>
      order.status === 'holding' && compare(trailing, order.trailing) === 0
        ? order.stopLoss
        : followedStop({ side: order.side, stopLoss: fixedBeside, trailing }, price),
    errorOf(kind) {
      if (problem?.kind === kind && (attempted || entries[kind].text !== ''))
        return ruleText(problem.message);
      const overtaken = edits.overtaken === kind && !call.busy;
      return overtaken
        ? t('orders.changedTo', { value: exitEntryOfOrder(order, kind).text || t('orders.none') })
        : undefined;
    },
    note: problem && problem.kind === undefined ? ruleText(problem.message) : undefined,
    check() {
      setAttempted(true);
      return problem === undefined && edits.tell();
    },
    async save() {
      const api = practice ?? workerApi;
      const exits = exitsOf(entries, position);
      const result = await call.run((key) => api.setExits(order.id, exits, key));
      if (result?.ok && !practice) offerFormerExits(order, result.data);
      return result;
    },
    call,
  };
}

/** The entries of an order's exits. */
export function exitEntriesOf(order: Order): ExitEntries {
  return {
    stopLoss: exitEntryOfOrder(order, 'stopLoss'),
    takeProfit: exitEntryOfOrder(order, 'takeProfit'),
  };
}

/** What is entered, as an order carries it; of prices and distances without `position`. */
export function exitsOf(
  { stopLoss, takeProfit }: ExitEntries,
  position: PositionWithMargin | undefined,
): Exits {
  return {
    stopLoss: stopPrice(stopLoss, 'stopLoss', position),
    takeProfit: stopPrice(takeProfit, 'takeProfit', position),
    trailing: stopDistance(stopLoss, position),
  };
}

/**
 * The entry of an exit that was dragged: one that follows the price keeps doing so. Its distance is negative where it was dropped
 * beyond the price.
 */
export function movedEntry(
  order: Order,
  { kind, price }: { kind: ExitKind; price: Price },
): ExitEntry {
  const entry = exitEntryOfOrder(order, kind);
  if (!entry.trailing) return exitEntryOf(price, order.precision);
  // The line of a pending order is that of the fixed one.
  if (entry.fixed) return withFixed(entry, price);
  const from = peekReference(order);
  const behind = order.side === 'buy' ? subtract(from, price) : subtract(price, from);
  return distanceEntry(behind, order.precision);
}

/** As `useReference`, at this moment. */
export function peekReference({ id, status, originPrice, updatePrice }: Order): Price {
  if (status === 'pending') return originPrice;
  const { profit, release } = watchProfit({ id, profit: '0', price: toNumber(updatePrice) });
  const { price } = profit.peek();
  release();
  return Number.isNaN(price) ? updatePrice : toPrice(price);
}

/** What exits are computed from; undefined until the instrument is known. */
function usePosition(order: Order): PositionWithMargin | undefined {
  const listed = useRow(order.code)?.instrument;
  const instrument = usePracticeOrders()?.row.instrument ?? listed;
  if (instrument?.id !== order.instrumentId) return undefined;
  const { side, lots, margin, precision } = order;
  const price = order.status === 'pending' ? order.originPrice : order.price;
  return { side, lots, margin, precision, price, unitsPerLot: instrument.unitsPerLot };
}

/** The price that exits are validated against; live while the order is holding. */
export function useReference(order: Order): Price {
  const [price, setPrice] = useState(order.updatePrice);
  useProfit(
    { id: order.id, profit: '0', price: Number.NaN },
    (live) => {
      if (!Number.isNaN(live.price)) setPrice(toPrice(live.price));
    },
    [],
  );
  return order.status === 'pending' ? order.originPrice : price;
}

/** The first thing that is wrong with entered exits of an order, and in which field. */
export function exitsProblemOf(
  order: Order,
  price: Price,
  entries: ExitEntries,
  position: PositionWithMargin | undefined,
): { kind: ExitKind | undefined; message: Message } | undefined {
  for (const kind of KINDS) {
    const entry = entries[kind];
    const key = exitEntryProblem(entry) ?? emptyExitProblem(entry, kind, position);
    if (key) return { kind, message: { key } };
  }
  const { stopLoss, takeProfit, trailing } = exitsOf(entries, position);
  const exits = {
    stopLoss: readPrice(stopLoss),
    takeProfit: readPrice(takeProfit),
    trailing: readPrice(trailing),
  };
  const message = setExitsProblem({ ...order, target: order.originPrice }, price, exits);
  if (!message) return undefined;
  const field = exitsProblem(order.side, price, order.precision, exits)?.field;
  const kind = field === 'trailing' ? 'stopLoss' : KINDS.find((each) => each === field);
  return { kind, message };
}
