import { useRef, useState } from 'react';
import { absolute, compare, subtract, ZERO } from '#domain/core/decimal';
import { readPrice } from '#domain/core/readAmounts';
import type { Message } from '#domain/core/rule';
import { type Price, toPrice } from '#domain/core/units';
import { quotedPrice } from '#domain/market/quotedPrice';
import type { PositionWithMargin } from '#domain/trading/exits';
import type { Order } from '#domain/trading/order';
import { exitsProblem, setExitsProblem } from '#domain/trading/rules';
import { followedStop } from '#domain/trading/triggers';
import { ruleText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { CallButton } from '../requests/CallButton';
import { Button } from '../ui/Button';
import { ButtonPair } from '../ui/ButtonPair';
import { focusInvalid } from '../ui/focusInvalid';
import { peekQuote } from '../worker/quotes';
import { useCall } from '../worker/useCall';
import { useProfit } from '../worker/useOrders';
import { useRow } from '../worker/useRow';
import { workerApi } from '../worker/workerApi';
import styles from './EditExits.module.css';
import { ExitField } from './ExitField';
import {
  distanceEntry,
  type ExitEntry,
  type ExitKind,
  exitEntryOf,
  exitEntryOfOrder,
  exitEntryProblem,
  stopDistance,
  stopPrice,
  withFixed,
} from './exitEntry';
import { offerFormerExits } from './undo';

const KINDS: readonly ExitKind[] = ['stopLoss', 'takeProfit'];
type Entries = Record<ExitKind, ExitEntry>;

interface EditExitsProps {
  order: Order;
  /** An exit that the user dragged to another price. */
  moved?: { kind: ExitKind; price: Price };
  /** Called when the stops are saved or editing is cancelled. */
  onDone(): void;
}

/** Edits the exits of a pending order or position (domain.md#exits). */
export function EditExits({ order, moved, onDone }: EditExitsProps) {
  const t = useT();
  const call = useCall();
  const [entries, setEntries] = useState<Entries>(() => ({
    stopLoss: exitEntryOfOrder(order, 'stopLoss'),
    takeProfit: exitEntryOfOrder(order, 'takeProfit'),
    ...(moved && { [moved.kind]: movedEntry(order, moved) }),
  }));
  const fields = useRef<HTMLDivElement>(null);
  const [attempted, setAttempted] = useState(false);
  const position = usePosition(order);
  const price = useReference(order);
  const typed = (kind: ExitKind) => {
    const entry = entries[kind];
    return entry.on ? stopPrice(entry, kind, position) : '';
  };
  const distance = stopDistance(entries.stopLoss, position);
  const problem = exitsProblemOf(order, price, entries, typed, distance);
  const fixedBeside = (entries.stopLoss.trailing && readPrice(typed('stopLoss'))) || ZERO;
  /** An unchanged distance leaves the stop-loss where it is (protocol.md#trailing-stop). */
  const stopAt = (trailing: Price) =>
    order.status === 'holding' && compare(trailing, order.trailing) === 0
      ? order.stopLoss
      : followedStop({ side: order.side, stopLoss: fixedBeside, trailing }, price);

  const save = async () => {
    setAttempted(true);
    if (problem) {
      focusInvalid(fields);
      return;
    }
    const exits = {
      stopLoss: typed('stopLoss'),
      takeProfit: typed('takeProfit'),
      trailing: distance,
    };
    const result = await call.run((key) => workerApi.setExits(order.id, exits, key));
    if (!result?.ok) return;
    offerFormerExits(order, result.data);
    onDone();
  };

  return (
    <div ref={fields} className={styles.edit}>
      {KINDS.map((kind) => (
        <ExitField
          key={kind}
          kind={kind}
          entry={entries[kind]}
          onChange={(entry) => setEntries((now) => ({ ...now, [kind]: entry }))}
          position={position}
          stopAt={stopAt}
          error={
            problem?.kind === kind && (attempted || entries[kind].text !== '')
              ? ruleText(problem.message)
              : undefined
          }
        />
      ))}
      {problem && problem.kind === undefined && (
        <p className={styles.problem} role="alert">
          {ruleText(problem.message)}
        </p>
      )}
      <ButtonPair>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
        <CallButton
          call={call}
          label={t('exits.save')}
          variant="primary"
          onClick={() => void save()}
        />
      </ButtonPair>
    </div>
  );
}

/** The entry of an exit that was dragged: one that follows the price keeps doing so. */
function movedEntry(order: Order, { kind, price }: { kind: ExitKind; price: Price }): ExitEntry {
  const entry = exitEntryOfOrder(order, kind);
  if (!entry.trailing) return exitEntryOf(price, order.precision);
  // The line of a pending order is that of the fixed one.
  if (entry.fixed) return withFixed(entry, price);
  const now = peekQuote(order.instrumentId)?.close ?? Number.NaN;
  const from =
    order.status === 'pending'
      ? order.originPrice
      : (quotedPrice(now, order.precision) ?? order.updatePrice);
  return distanceEntry(absolute(subtract(from, price)), order.precision);
}

/** What exits are computed from; undefined until the instrument is known. */
function usePosition(order: Order): PositionWithMargin | undefined {
  const instrument = useRow(order.code)?.instrument;
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
  entries: Entries,
  typed: (kind: ExitKind) => string,
  distance: string,
): { kind: ExitKind | undefined; message: Message } | undefined {
  for (const kind of KINDS) {
    const key = exitEntryProblem(entries[kind]);
    if (key) return { kind, message: { key } };
  }
  const exit = (kind: ExitKind) => readPrice(typed(kind)) ?? ZERO;
  const exits = {
    stopLoss: exit('stopLoss'),
    takeProfit: exit('takeProfit'),
    trailing: readPrice(distance) ?? ZERO,
  };
  const message = setExitsProblem({ ...order, target: order.originPrice }, price, exits);
  if (!message) return undefined;
  const field = exitsProblem(order.side, price, order.precision, exits)?.field;
  const kind = field === 'trailing' ? 'stopLoss' : KINDS.find((each) => each === field);
  return { kind, message };
}
