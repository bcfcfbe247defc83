import { type Decimal, parseDecimal } from '#domain/decimal';
import type { TicketInput } from '#domain/gateway-trading';
import type { Instrument } from '#domain/instrument';
import { ticketPreview } from '../../gateway/trading';
import { formatAmount, formatExact } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { useValue } from '../../signals';
import { Button } from '../../ui/Button';
import { Tick } from '../../ui/Tick';
import * as settings from './settings';
import styles from './Ticket.module.css';

interface ConfirmOrderProps {
  instrument: Instrument;
  input: TicketInput;
  onBack(): void;
  onConfirm(): void;
}

/** The order once more, in words and amounts, where the thumb already is. */
export function ConfirmOrder({ instrument, input, onBack, onConfirm }: ConfirmOrderProps) {
  const t = useT();
  const oneTap = useValue(settings.oneTap);
  const preview = useValue(ticketPreview);
  const { side, type, lots, targetPrice, stopLoss, takeProfit } = input;
  const price = type === 'market' ? preview?.price : targetPrice;
  const lines = [
    t(`trade.confirm.${side}`, { lots: exact(lots), name: instrument.name }),
    t(`trade.confirm.${type}`, { price: exact(price) }),
    stopLoss && t('trade.confirm.stopLoss', { price: exact(stopLoss) }),
    takeProfit && t('trade.confirm.takeProfit', { price: exact(takeProfit) }),
    t('trade.confirm.cost', { margin: usd(preview?.margin), fee: usd(preview?.fee) }),
  ];
  return (
    <section className={styles.foot} aria-label={t('trade.confirm.title')}>
      <p className={styles.summary}>
        {lines.filter(Boolean).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </p>
      <Tick
        checked={oneTap}
        onChange={(checked) => {
          settings.oneTap.value = checked;
        }}
      >
        {t('trade.confirm.oneTap')}
      </Tick>
      <div className={styles.actions}>
        <Button onClick={onBack}>{t('common.back')}</Button>
        <Button
          variant={side === 'buy' ? 'up' : 'down'}
          className={styles.confirm}
          autoFocus
          onClick={onConfirm}
        >
          {t('trade.confirm.order')}
        </Button>
      </div>
    </section>
  );
}

const UNKNOWN = '–';

function written(text: string | undefined, write: (value: Decimal) => string): string {
  const value = parseDecimal(text);
  return value ? write(value) : UNKNOWN;
}

const exact = (text: string | undefined) => written(text, formatExact);
const usd = (text: string | undefined) => written(text, (value) => formatAmount(value, 2));
