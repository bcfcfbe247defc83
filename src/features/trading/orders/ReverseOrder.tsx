import { computed } from '@preact/signals-react';
import { useEffect, useMemo } from 'react';
import { toText } from '#domain/core/decimal';
import type { Message } from '#domain/core/rule';
import type { ListRow } from '#domain/market/list';
import type { Order } from '#domain/trading/order';
import { oppositeTicket } from '#domain/trading/reversal';
import { ruleText } from '../../../i18n/failure';
import { useT } from '../../../i18n/i18n';
import { priceOrUnknown, usdOrUnknown } from '../../../positions/accountFormats';
import { LiveFigures } from '../../../positions/LiveFigures';
import { lotsText } from '../../../positions/lotsText';
import { CallButton } from '../../../requests/CallButton';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { showToast } from '../../../ui/toastStore';
import { useArmed } from '../../../ui/useArmed';
import { useValue } from '../../../useValue';
import { changePreview } from '../../../worker/trading';
import { useCall } from '../../../worker/useCall';
import { useRow } from '../../../worker/useRow';
import { workerApi } from '../../../worker/workerApi';
import { previewLabel } from '../ticket/previewLabel';
import { useBlockedReason } from '../ticket/useBlockedReason';
import { ResultNow } from './EndOrder';
import styles from './OrderSheet.module.css';
import { reversedText } from './reversedText';

/** Whether the calls are under way, and the order has ended since. */
export type Reversing = 'no' | 'yes' | 'ended';

interface ReverseOrderProps {
  order: Order;
  /** As of EndOrder. */
  question: string;
  reversing: { current: Reversing };
  onBack(): void;
  /** The order is closed, whatever became of the opposite one. */
  onDone(): void;
}

/** Confirms the reversal of a position with both of its orders (screens.md#order-details). */
export function ReverseOrder(props: ReverseOrderProps) {
  const { order } = props;
  const row = useRow(order.code);
  return row?.instrument.id === order.instrumentId ? <Reversal {...props} row={row} /> : null;
}

/** The figures of the new position, and how each is shown. */
function formatsOf(precision: number) {
  const price = (text: string | undefined) => priceOrUnknown(text, precision);
  const usd = usdOrUnknown;
  return { price, margin: usd, fee: usd, availableAfter: usd, stopOutPrice: price };
}

/** As text, so that it changes only with the problem, not with each tick; undefined until the worker has priced it. */
const problem = computed(() => {
  const preview = changePreview.value;
  return preview && JSON.stringify(preview.problem?.message ?? null);
});

function Reversal({
  order,
  question,
  reversing,
  row,
  onBack,
  onDone,
}: ReverseOrderProps & { row: ListRow }) {
  const t = useT();
  const call = useCall();
  const armed = useArmed();
  const blocked = useBlockedReason(row);
  const found = useValue(problem);
  const broken = found ? (JSON.parse(found) as Message | null) : null;
  const { side } = oppositeTicket(order, '');
  const terms = { size: lotsText(order.lots), name: order.name };
  const lots = toText(order.lots);
  const formats = useMemo(() => formatsOf(order.precision), [order.precision]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: fewer lots are another order to open
  useEffect(() => {
    void workerApi.setChange({ id: order.id });
  }, [order.id, lots]);
  useEffect(
    () => () => {
      void workerApi.setChange(undefined);
      changePreview.value = undefined;
    },
    [],
  );

  const reverse = async () => {
    const quoteSeen = changePreview.peek()?.price ?? '';
    reversing.current = 'yes';
    const result = await call.run((close, open) =>
      workerApi.reverseOrder(order, quoteSeen, { close, open }),
    );
    const ended = reversing.current !== 'yes';
    reversing.current = 'no';
    if (result?.ok && result.data.opened)
      showToast(reversedText(result.data.closed, result.data.opened));
    if (result?.ok || ended) onDone();
  };

  return (
    <div className={styles.end}>
      <section>
        <h3>{t('orders.close')}</h3>
        <p>{t(`trade.confirm.${order.side}`, terms)}</p>
        <ResultNow order={order} label={t('orders.reverse.result')} />
      </section>
      <section>
        <h3>{t('orders.reverse.opens')}</h3>
        <p>{t(`trade.confirm.${side}`, terms)}</p>
        <LiveFigures
          source={changePreview}
          formats={formats}
          label={(name) => previewLabel(name)}
          className={styles.fields}
        />
        <dl className={styles.fields}>
          <div>
            <dt>{t('trade.position.exits')}</dt>
            <dd>{t('orders.none')}</dd>
          </div>
        </dl>
      </section>
      <p id={question} className={styles.note}>
        {t('orders.reverse.note')}
      </p>
      {(blocked ?? broken) && (
        <p className={styles.problem} role="alert">
          {blocked ?? (broken && ruleText(broken))}
        </p>
      )}
      <ButtonPair>
        <Button onClick={onBack}>{t('common.back')}</Button>
        <CallButton
          call={call}
          label={t('orders.reverse.name')}
          variant="primary"
          waits={!armed}
          disabled={!call.busy && (blocked !== undefined || found === undefined || broken !== null)}
          onClick={() => void reverse()}
        />
      </ButtonPair>
    </div>
  );
}
