import { useEffect, useRef, useState } from 'react';
import type { Order } from '#domain/trading/order';
import { gateway } from '../../../gateway/client';
import { newKey } from '../../../gateway/key';
import { link, linkLive } from '../../../gateway/pump';
import { useOrders } from '../../../gateway/useOrders';
import { failureText } from '../../../i18n/failure';
import { formatCount, formatExact } from '../../../i18n/format';
import { t, useT } from '../../../i18n/i18n';
import { useValue } from '../../../signals';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { Choice } from '../../../ui/Choice';
import { Sheet } from '../../../ui/Sheet';
import { showToast } from '../../../ui/toastStore';
import styles from './CloseAll.module.css';
import { byInstrument, type ClosingProgress, closeOrders } from './closeOrders';

const ALL = 'all';

/** Closes all holding orders or those of one instrument. */
export function CloseAll() {
  const t = useT();
  const { total = 0 } = useOrders('holding', 0, 1);
  const [orders, setOrders] = useState<readonly Order[]>();
  const begin = async () => {
    const result = await gateway.orders('holding', 0, total);
    if (result.ok) setOrders(result.data.orders);
  };
  return (
    <>
      {total > 1 && (
        <Button variant="quiet" onClick={() => void begin()}>
          {t('orders.closeAll.button')}
        </Button>
      )}
      <Sheet
        open={orders !== undefined}
        onClose={() => setOrders(undefined)}
        title={t('orders.closeAll.title')}
      >
        {orders && <CloseAllForm orders={orders} onDone={() => setOrders(undefined)} />}
      </Sheet>
    </>
  );
}

interface CloseAllFormProps {
  orders: readonly Order[];
  onDone(): void;
}

/**
 * Asks which of these orders to close, closes them and shows what was refused. Where the user goes away, it stops after the
 * current order, and a toast has the result.
 */
export function CloseAllForm({ orders, onDone }: CloseAllFormProps) {
  const t = useT();
  const groups = byInstrument(orders);
  const [choice, setChoice] = useState(ALL);
  const [progress, setProgress] = useState<ClosingProgress>();
  const [running, setRunning] = useState(false);
  const stopped = useRef(false);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  const { state } = useValue(link);
  const chosen =
    groups.find(({ instrumentId }) => String(instrumentId) === choice)?.orders ?? orders;

  const run = async () => {
    setRunning(true);
    const result = await closeOrders(
      chosen,
      (order) => gateway.closeOrder(order, newKey(), true),
      setProgress,
      // An order that waits for a connection would be closed later than the user thinks.
      () => stopped.current || gone.current || !linkLive.peek(),
    );
    setRunning(false);
    if (gone.current) showToast(resultText(result), result.refused.length ? 'error' : 'info');
  };

  if (!progress) {
    return (
      <div className={styles.form}>
        {groups.length === 1 ? (
          <p className={styles.name} translate="no">
            {groups[0]?.name}
          </p>
        ) : (
          <Choice
            label={t('orders.closeAll.which')}
            options={[
              { value: ALL, label: t('orders.closeAll.all', { count: orders.length }) },
              ...groups.map((group) => ({
                value: String(group.instrumentId),
                label: t('orders.closeAll.of', { name: group.name, count: group.orders.length }),
              })),
            ]}
            value={choice}
            onChange={setChoice}
          />
        )}
        <p>{t('orders.closeAll.ask', { count: chosen.length })}</p>
        <ButtonPair>
          <Button onClick={onDone}>{t('common.cancel')}</Button>
          <Button variant="primary" disabled={state !== 'live'} onClick={() => void run()}>
            {state === 'live'
              ? t('orders.closeAll.confirm', { count: chosen.length })
              : t(`link.${state}`)}
          </Button>
        </ButtonPair>
      </div>
    );
  }
  const { done, total, refused } = progress;
  return (
    <div className={styles.form}>
      <progress
        className={styles.progress}
        value={done}
        max={total}
        aria-label={t('orders.closeAll.title')}
      />
      <p role="status">
        {running
          ? t('orders.closeAll.progress', { done: formatCount(done), total: formatCount(total) })
          : t('orders.closeAll.closed', { count: done - refused.length })}
      </p>
      {refused.length > 0 && (
        <>
          <p>{t('orders.closeAll.refused', { count: refused.length })}</p>
          <ul className={styles.refused}>
            {refused.map(({ order, failure }) => (
              <li key={order.id}>
                <b>{refusedName(order)}</b> {failureText(failure)}
              </li>
            ))}
          </ul>
        </>
      )}
      {running ? (
        <Button
          onClick={() => {
            stopped.current = true;
          }}
        >
          {t('orders.closeAll.stop')}
        </Button>
      ) : (
        <Button variant="primary" onClick={onDone}>
          {t('common.close')}
        </Button>
      )}
    </div>
  );
}

function resultText({ done, refused }: ClosingProgress): string {
  const closed = t('orders.closeAll.closed', { count: done - refused.length });
  if (refused.length === 0) return closed;
  const reasons = refused.map(
    ({ order, failure }) => `${refusedName(order)} ${failureText(failure)}`,
  );
  return [closed, t('orders.closeAll.refused', { count: refused.length }), ...reasons].join('\n');
}

const refusedName = (order: Order) => `${order.name} ${formatExact(order.lots)}`;
