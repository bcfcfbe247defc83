import { useRef, useState } from 'react';
import { absolute, compare, subtract, ZERO } from '#domain/core/decimal';
import { readPrice } from '#domain/core/readAmounts';
import type { Message } from '#domain/core/rule';
import { type Price, toPrice } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { setStopsProblem, stopsProblem } from '#domain/trading/rules';
import type { StoppedPosition } from '#domain/trading/stops';
import { followedStop } from '#domain/trading/triggers';
import { workerApi } from '../worker/workerApi';
import { peekQuote } from '../worker/quotes';
import { useCall } from '../worker/useCall';
import { useProfit } from '../worker/useOrders';
import { useRow } from '../worker/useRow';
import { ruleText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { StopField } from '../positions/StopField';
import {
  distanceEntry,
  type StopEntry,
  type StopKind,
  stopDistance,
  stopEntryOf,
  stopEntryOfOrder,
  stopEntryProblem,
  stopPrice,
  withFixed,
} from '../positions/stopEntry';
import { offerFormerStops } from '../positions/undo';
import { CallButton } from '../requests/CallButton';
import { Button } from '../ui/Button';
import { ButtonPair } from '../ui/ButtonPair';
import { focusInvalid } from '../ui/focusInvalid';
import styles from './EditStops.module.css';

const KINDS: readonly StopKind[] = ['stopLoss', 'takeProfit'];
type Entries = Record<StopKind, StopEntry>;

interface EditStopsProps {
  order: Order;
  /** A stop that the user dragged to another price. */
  moved?: { kind: StopKind; price: Price };
  /** Called when the stops are saved or editing is cancelled. */
  onDone(): void;
}

/** Edits the stops of a pending or holding order (domain.md#stops). */
export function EditStops({ order, moved, onDone }: EditStopsProps) {
  const t = useT();
  const call = useCall();
  const [entries, setEntries] = useState<Entries>(() => ({
    stopLoss: stopEntryOfOrder(order, 'stopLoss'),
    takeProfit: stopEntryOfOrder(order, 'takeProfit'),
    ...(moved && { [moved.kind]: movedEntry(order, moved) }),
  }));
  const fields = useRef<HTMLDivElement>(null);
  const [attempted, setAttempted] = useState(false);
  const position = usePosition(order);
  const price = useReference(order);
  const typed = (kind: StopKind) => {
    const entry = entries[kind];
    return entry.on ? stopPrice(entry, kind, position) : '';
  };
  const distance = stopDistance(entries.stopLoss, position);
  const problem = problemOf(order, price, entries, typed, distance);
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
    const stops = {
      stopLoss: typed('stopLoss'),
      takeProfit: typed('takeProfit'),
      trailing: distance,
    };
    const result = await call.run((key) => workerApi.setStops(order.id, stops, key));
    if (!result?.ok) return;
    offerFormerStops(order, result.data);
    onDone();
  };

  return (
    <div ref={fields} className={styles.edit}>
      {KINDS.map((kind) => (
        <StopField
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
          label={t('stops.save')}
          variant="primary"
          onClick={() => void save()}
        />
      </ButtonPair>
    </div>
  );
}

/** The entry of a stop that was dragged: one that follows the price keeps doing so. */
function movedEntry(order: Order, { kind, price }: { kind: StopKind; price: Price }): StopEntry {
  const entry = stopEntryOfOrder(order, kind);
  if (!entry.trailing) return stopEntryOf(price, order.precision);
  // The line of a pending order is that of the fixed one.
  if (entry.fixed) return withFixed(entry, price);
  const now = peekQuote(order.instrumentId)?.close.toFixed(order.precision);
  const from =
    order.status === 'pending' ? order.originPrice : (readPrice(now) ?? order.updatePrice);
  return distanceEntry(absolute(subtract(from, price)), order.precision);
}

/** What stops are computed from; undefined until the instrument is known. */
function usePosition(order: Order): StoppedPosition | undefined {
  const instrument = useRow(order.code)?.instrument;
  if (instrument?.id !== order.instrumentId) return undefined;
  const { side, lots, margin, precision } = order;
  const price = order.status === 'pending' ? order.originPrice : order.price;
  return { side, lots, margin, precision, price, unitsPerLot: instrument.unitsPerLot };
}

/** The price that stops are validated against; live while the order is holding. */
function useReference(order: Order): Price {
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

function problemOf(
  order: Order,
  price: Price,
  entries: Entries,
  typed: (kind: StopKind) => string,
  distance: string,
): { kind: StopKind | undefined; message: Message } | undefined {
  for (const kind of KINDS) {
    const key = stopEntryProblem(entries[kind]);
    if (key) return { kind, message: { key } };
  }
  const stop = (kind: StopKind) => readPrice(typed(kind)) ?? ZERO;
  const stops = {
    stopLoss: stop('stopLoss'),
    takeProfit: stop('takeProfit'),
    trailing: readPrice(distance) ?? ZERO,
  };
  const message = setStopsProblem({ ...order, target: order.originPrice }, price, stops);
  if (!message) return undefined;
  const field = stopsProblem(order.side, price, order.precision, stops)?.field;
  const kind = field === 'trailing' ? 'stopLoss' : KINDS.find((each) => each === field);
  return { kind, message };
}
