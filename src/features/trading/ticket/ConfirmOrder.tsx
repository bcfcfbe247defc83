import { useId } from 'react';
import { type Decimal, parseDecimal, toNumber } from '#domain/core/decimal';
import { readLots, readPrice } from '#domain/core/readAmounts';
import type { ListRow } from '#domain/market/list';
import { quotedPrice } from '#domain/market/quotedPrice';
import { profit } from '#domain/trading/profit';
import type { TicketInput } from '#domain/trading/ticketInput';
import { formatAmount, formatDateTime, formatPrice, UNKNOWN } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { lotsText } from '../../../positions/lotsText';
import { Button } from '../../../ui/Button';
import { Checkbox } from '../../../ui/Checkbox';
import { useArmed } from '../../../ui/useArmed';
import { useValue } from '../../../useValue';
import { peekQuote } from '../../../worker/quotes';
import { ticketPreview } from '../../../worker/trading';
import * as settings from '../settings';
import { pendingText } from './pendingText';
import styles from './Ticket.module.css';

interface ConfirmOrderProps {
  row: ListRow;
  input: TicketInput;
  onBack(): void;
  onConfirm(): void;
}

/**
 * Confirms an order: its terms in words, with the buttons in the same place. A second tap on the
 * order button would confirm it unread, so that its button waits for half a second.
 */
export function ConfirmOrder({ row, input, onBack, onConfirm }: ConfirmOrderProps) {
  const t = useT();
  const terms = useId();
  const { instrument } = row;
  const armed = useArmed();
  const oneTap = useValue(settings.oneTap);
  const preview = useValue(ticketPreview);
  const { side, type, lots, targetPrice, stopLoss, takeProfit, trailing, until } = input;
  const price = type === 'market' ? preview?.price : targetPrice;
  const size = readLots(lots);
  /** The profit at an exit, isolated because the line may run right to left. */
  const brings = (stop: string) => {
    const [fill, at] = [readPrice(price), readPrice(stop)];
    if (!fill || !at || !size) return '';
    const { unitsPerLot } = instrument;
    const position = { side, lots: size, unitsPerLot, price: fill };
    const amount = formatAmount(profit(position, at), 2, 'always');
    return ` \u2066(${amount} USD)\u2069`;
  };
  /** What a pending order is called, by where the market is now. */
  const named = () => {
    const { close } = peekQuote(instrument.id) ?? row.quote;
    const market = readPrice(preview?.reference) ?? quotedPrice(close, instrument.precision);
    return pendingText(side, readPrice(targetPrice), market)?.name;
  };
  const priced = (text: string | undefined) =>
    written(text, (value) => formatPrice(toNumber(value), instrument.precision));
  const lines = [
    t(`trade.confirm.${side}`, { size: size ? lotsText(size) : UNKNOWN, name: instrument.name }),
    type === 'pending' ? named() : undefined,
    t(`trade.confirm.${type}`, { price: priced(price) }),
    stopLoss && t('trade.confirm.stopLoss', { price: priced(stopLoss) }) + brings(stopLoss),
    trailing && t('trade.confirm.trailing', { distance: priced(trailing) }),
    takeProfit && t('trade.confirm.takeProfit', { price: priced(takeProfit) }) + brings(takeProfit),
    until === undefined
      ? undefined
      : t('common.labelled', { label: t('orders.field.until'), text: formatDateTime(until) }),
    t('trade.confirm.cost', { margin: usd(preview?.margin), fee: usd(preview?.fee) }),
  ];
  return (
    <section className={styles.foot} aria-label={t('trade.confirm.title')}>
      <p id={terms} className={styles.summary}>
        {lines.filter(Boolean).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </p>
      <Checkbox
        checked={oneTap}
        onChange={(checked) => {
          settings.oneTap.value = checked;
        }}
      >
        {t('trade.confirm.oneTap')}
      </Checkbox>
      <div className={styles.actions}>
        <Button onClick={onBack}>{t('common.back')}</Button>
        <Button
          variant={side === 'buy' ? 'up' : 'down'}
          className={styles.confirm}
          autoFocus
          aria-describedby={terms}
          busy={!armed}
          onClick={onConfirm}
        >
          {t('trade.confirm.order')}
        </Button>
      </div>
    </section>
  );
}

function written(text: string | undefined, write: (value: Decimal) => string): string {
  const value = parseDecimal(text);
  return value ? write(value) : UNKNOWN;
}

const usd = (text: string | undefined) => written(text, (value) => formatAmount(value, 2));
