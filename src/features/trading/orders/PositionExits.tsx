import { useRef, useState } from 'react';
import { absolute, compare, ZERO } from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import type { PositionWithMargin } from '#domain/trading/exits';
import { netPosition } from '#domain/trading/netPosition';
import type { Order } from '#domain/trading/order';
import { followedStop } from '#domain/trading/triggers';
import { ruleText } from '../../../i18n/failure';
import { formatCount } from '../../../i18n/format';
import { t, useT } from '../../../i18n/i18n';
import edit from '../../../positions/EditExits.module.css';
import { ExitField } from '../../../positions/ExitField';
import {
  type ExitEntry,
  type ExitKind,
  exitEntryOfOrder,
  NO_EXIT,
} from '../../../positions/exitEntry';
import { exitEntriesOf, exitsOf, exitsProblemOf, useReference } from '../../../positions/useExits';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { focusInvalid } from '../../../ui/focusInvalid';
import { useValue } from '../../../useValue';
import { connectionLive, connectionState } from '../../../worker/frameReceiver';
import { useRow } from '../../../worker/useRow';
import { workerApi } from '../../../worker/workerApi';
import { BulkResults } from './BulkResults';
import { type BulkProgress, countChanged } from './bulkChange';
import { reasonsOf } from './closingText';
import { cellText } from './columns';
import sheet from './OrderSheet.module.css';
import styles from './PositionExits.module.css';
import { useBulkChange } from './useBulkChange';

const KINDS: readonly ExitKind[] = ['stopLoss', 'takeProfit'];

interface PositionExitsProps {
  /** Positions of one instrument and side. */
  orders: readonly Order[];
  /** The positions as they are now. */
  held: readonly Order[];
  /** The title of the sheet. */
  title: string;
  onDone(): void;
}

/**
 * Sets the exits of several positions, one after the other. An exit that the user does not set here stays in each as it is now: it may
 * differ, or have been changed by other means since the sheet was opened.
 */
export function PositionExits({ orders, held, title, onDone }: PositionExitsProps) {
  const t = useT();
  const [edits, setEdits] = useState<Partial<Record<ExitKind, ExitEntry>>>({});
  const present = orders.map((order) => held.find(({ id }) => id === order.id) ?? order);
  const entries = {
    stopLoss: edits.stopLoss ?? commonEntry(present, 'stopLoss'),
    takeProfit: edits.takeProfit ?? commonEntry(present, 'takeProfit'),
  };
  const [attempted, setAttempted] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const bulk = useBulkChange((result) =>
    [`${title}: ${savedText(result)}`, ...reasonsOf(result)].join('\n'),
  );
  const { state } = useValue(connectionState);
  const live = useValue(connectionLive);
  // Of several days, the coarsest decimals are valid for all.
  const [coarsest] = [...orders].sort((one, other) => one.precision - other.precision);
  const price = useReference(coarsest as Order);
  const position = useTogether(orders, coarsest as Order);
  const entryOf = (kind: ExitKind) => entries[kind] ?? NO_EXIT;
  const problem = exitsProblemOf(
    coarsest as Order,
    price,
    { stopLoss: entryOf('stopLoss'), takeProfit: entryOf('takeProfit') },
    position,
  );
  /** Not where the distance is unchanged: each stop-loss stays where that has moved it to. */
  const stopAt = (trailing: Price) =>
    present.some((order) => compare(trailing, order.trailing) === 0)
      ? undefined
      : followedStop({ side: (coarsest as Order).side, stopLoss: ZERO, trailing }, price);
  const save = () => {
    setAttempted(true);
    if (problem) focusInvalid(fields);
    else
      void bulk.start(present, (order, key) => {
        const exits = exitsOf({ ...exitEntriesOf(order), ...edits }, position);
        return workerApi.setExits(order.id, exits, key, true);
      });
  };

  if (bulk.progress) {
    return (
      <BulkResults
        bulk={bulk}
        progress={bulk.progress}
        orders={orders}
        label={title}
        summary={savedText(bulk.progress)}
        outcome={(changed) => (
          <dd className={styles.exits}>{changed ? cellText('exits', changed) : '–'}</dd>
        )}
        onDone={onDone}
      />
    );
  }
  return (
    <div ref={fields} className={edit.edit}>
      <p className={sheet.note}>
        {t('orders.count', { count: orders.length, number: formatCount(orders.length) })}
      </p>
      {KINDS.map((kind) => (
        <div key={kind}>
          <ExitField
            kind={kind}
            entry={entryOf(kind)}
            onChange={(entry) => setEdits((now) => ({ ...now, [kind]: entry }))}
            position={position}
            stopAt={stopAt}
            error={
              problem?.kind === kind && (attempted || entryOf(kind).text !== '')
                ? ruleText(problem.message)
                : undefined
            }
          />
          {!entries[kind] && <p className={sheet.note}>{t('exits.differ')}</p>}
        </div>
      ))}
      {problem && problem.kind === undefined && (
        <p className={edit.problem} role="alert">
          {ruleText(problem.message)}
        </p>
      )}
      <ButtonPair>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
        <Button variant="primary" disabled={!live} onClick={save}>
          {live ? t('exits.save') : t(`link.${state}`)}
        </Button>
      </ButtonPair>
    </div>
  );
}

/** What orders have alike as an exit; undefined where they differ. */
function commonEntry(orders: readonly Order[], kind: ExitKind): ExitEntry | undefined {
  const [first, ...others] = orders.map((order) => exitEntryOfOrder(order, kind));
  const same = (one: ExitEntry) =>
    one.on === first?.on && one.text === first.text && one.trailing === first.trailing;
  return others.every(same) ? first : undefined;
}

/** What the exits of all orders together are computed from; undefined until the instrument is known. */
function useTogether(orders: readonly Order[], order: Order): PositionWithMargin | undefined {
  const instrument = useRow(order.code)?.instrument;
  const { lots, entry, margin } = netPosition(orders);
  if (instrument?.id !== order.instrumentId || !entry) return undefined;
  const { side, precision } = order;
  const { unitsPerLot } = instrument;
  return { side, lots: absolute(lots), margin, precision, price: entry, unitsPerLot };
}

function savedText(progress: BulkProgress): string {
  const done = formatCount(countChanged(progress));
  return t('exits.saved', { done, total: formatCount(progress.total) });
}
