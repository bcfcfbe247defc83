import { useEffect, useId, useRef, useState } from 'react';
import { toText } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { netResult, realised } from '#domain/trading/profit';
import { language, useT } from '../../../i18n/i18n';
import { showFailure } from '../../../requests/showFailure';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { Choice } from '../../../ui/Choice';
import { Sheet } from '../../../ui/Sheet';
import { useValue } from '../../../useValue';
import { connectionLive, connectionState, listRevision } from '../../../worker/frameReceiver';
import { watchTopOfBook } from '../../../worker/topOfBook';
import { useAnswer } from '../../../worker/useAnswer';
import { useOrders, useProfits } from '../../../worker/useOrders';
import { workerApi } from '../../../worker/workerApi';
import { BulkResults } from './BulkResults';
import { byInstrument, countChanged, netOf } from './bulkChange';
import styles from './CloseAll.module.css';
import { closingText } from './closingText';
import sheet from './OrderSheet.module.css';
import { knownProfit, profitSeed, resultNow, sumOf, writeProfit } from './profitText';
import { useBulkChange } from './useBulkChange';

const ALL = 'all';
const QUERY = { sort: 'default', descending: false, favourites: [] } as const;

/** Closes all positions or those of one instrument. */
export function CloseAll() {
  const t = useT();
  const { total = 0 } = useOrders('holding', 0, 1);
  const [orders, setOrders] = useState<readonly Order[]>();
  const question = useId();
  const close = () => setOrders(undefined);
  const begin = async () => {
    const result = await workerApi.orders('holding', 0, total);
    if (result.ok) setOrders(result.data.orders);
    else showFailure(result.failure);
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
        onClose={close}
        title={t('orders.closeAll.title')}
        describedBy={question}
      >
        {orders && <CloseAllForm orders={orders} question={question} onDone={close} />}
      </Sheet>
    </>
  );
}

interface CloseAllFormProps {
  orders: readonly Order[];
  /** As that of `EndOrder`. */
  question: string;
  onDone(): void;
}

/** Asks which of these orders to close, closes them and shows what each came to. */
export function CloseAllForm({ orders, question, onDone }: CloseAllFormProps) {
  const t = useT();
  const groups = byInstrument(orders);
  const [choice, setChoice] = useState(ALL);
  const bulk = useBulkChange(closingText);
  const { state } = useValue(connectionState);
  const live = useValue(connectionLive);
  const chosen = groups.find(({ key }) => key === choice)?.orders ?? orders;
  const { progress } = bulk;

  if (!progress) {
    return (
      <div className={sheet.end}>
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
                value: group.key,
                label: t('orders.closeAll.of', { name: group.name, count: group.orders.length }),
              })),
            ]}
            value={choice}
            onChange={setChoice}
          />
        )}
        <p id={question}>{t('orders.closeAll.ask', { count: chosen.length })}</p>
        <NetNow orders={chosen} />
        <ButtonPair>
          <Button onClick={onDone}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            disabled={!live}
            onClick={() =>
              void bulk.start(chosen, (order, key) => workerApi.closeOrder(order, key, true))
            }
          >
            {live ? t('orders.closeAll.confirm', { count: chosen.length }) : t(`link.${state}`)}
          </Button>
        </ButtonPair>
      </div>
    );
  }
  return (
    <BulkResults
      bulk={bulk}
      progress={progress}
      orders={chosen}
      label={t('orders.closeAll.title')}
      summary={t('orders.closeAll.closed', { count: countChanged(progress) })}
      outcome={(closed) => <Net of={closed && netResult(closed)} />}
      onDone={onDone}
    >
      <div className={styles.total}>
        <dt>{t('orders.field.net')}</dt>
        <Net of={netOf(progress)} />
      </div>
    </BulkResults>
  );
}

function Net({ of }: { of: Usd | undefined }) {
  return <dd ref={(cell) => writeProfit(cell, of)} dir="ltr" translate="no" />;
}

/** What closing orders would come to now, net of their fees and swap. */
function NetNow({ orders }: { orders: readonly Order[] }) {
  const t = useT();
  const shownLanguage = useValue(language);
  const cell = useRef<HTMLElement>(null);
  const { fees, swap } = realised(orders);
  const ids = [...new Set(orders.map(({ instrumentId }) => instrumentId))];
  const listed = useAnswer(
    listRevision,
    () => workerApi.rows({ ...QUERY, only: ids }, 0, ids.length),
    [ids.join()],
  );
  const units = new Map(
    listed?.rows.map(({ instrument: { id, unitsPerLot } }) => [id, unitsPerLot]),
  );
  // While they are watched, the prices of closes at bid or ask come with the orders.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the ids
  useEffect(() => {
    const ends = ids.map((id) => watchTopOfBook(id, () => {}));
    return () => {
      for (const end of ends) end();
    };
  }, [ids.join()]);
  useProfits(
    orders.map(profitSeed),
    (profits) => {
      const nets = profits.map((now, index) => {
        const order = orders[index] as Order;
        const profit = knownProfit(now);
        const floating = profit && netResult({ ...order, profit });
        return resultNow(order, now, units.get(order.instrumentId)) ?? floating;
      });
      writeProfit(cell.current, sumOf(nets));
    },
    [shownLanguage, toText(fees), toText(swap), listed],
  );
  return (
    <dl className={sheet.fields}>
      <div className={styles.total}>
        <dt>{t('orders.field.net')}</dt>
        <dd ref={cell} dir="ltr" translate="no" />
      </div>
    </dl>
  );
}
