import { ArrowDownUp, Power } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { toText } from '#domain/core/decimal';
import { readLots } from '#domain/core/readAmounts';
import type { Instrument } from '#domain/market/instrument';
import type { ListRow } from '#domain/market/list';
import { quotedPriceText } from '#domain/market/quotedPrice';
import { OPPOSITE } from '#domain/trading/fill';
import type { Order, Side } from '#domain/trading/order';
import { oppositeTicket } from '#domain/trading/reversal';
import { lotsProblem } from '#domain/trading/rules';
import type { TicketInput } from '#domain/trading/ticketInput';
import { ruleText } from '../../../i18n/failure';
import { formatAmount } from '../../../i18n/format';
import { t, useT } from '../../../i18n/i18n';
import { formatNumberInput, parseNumber } from '../../../i18n/numberInput';
import { lotsText } from '../../../positions/lotsText';
import { showPlaced } from '../../../positions/placedText';
import { Button, IconButton } from '../../../ui/Button';
import { showToast } from '../../../ui/toastStore';
import { useArmed } from '../../../ui/useArmed';
import { useValue } from '../../../useValue';
import { useFreshBalances } from '../../../worker/accountAmount';
import { connectionLive, slowPrices } from '../../../worker/frameReceiver';
import { newKey } from '../../../worker/key';
import { user } from '../../../worker/trading';
import { useAnswerLost } from '../../../worker/useAnswerLost';
import { useCall } from '../../../worker/useCall';
import { useOrdersOf } from '../../../worker/useOrders';
import { workerApi } from '../../../worker/workerApi';
import { changeOrders, countChanged } from '../orders/bulkChange';
import { closingText } from '../orders/closingText';
import { reversedText } from '../orders/reversedText';
import * as settings from '../settings';
import { ButtonPrice } from '../ticket/ButtonPrice';
import { placeOrder, sending } from '../ticket/placeOrder';
import { useBlockedReason } from '../ticket/useBlockedReason';
import styles from './QuickTrade.module.css';
import { quickLargest, quickLots, quickTurnedOn } from './quickSettings';
import { quickTicket, readLargest, tooLarge } from './quickTicket';

/**
 * Orders of one tap over the chart (screens.md#one-tap-panel). It is off until the user turns it on, for one instrument, and off again
 * when no order is possible.
 */
export default function QuickTrade({ row }: { row: ListRow }) {
  const t = useT();
  const { id } = row.instrument;
  const blocked = useBlockedReason(row);
  const visitor = useValue(user) === null;
  const on = useValue(quickTurnedOn) === id && blocked === undefined;
  useEffect(() => {
    if (blocked !== undefined) turnOff(id);
  }, [blocked, id]);
  useEffect(() => () => turnOff(id), [id]);
  if (visitor) return null;
  return (
    <section className={styles.panel} aria-label={t('trade.quick.title')} dir="ltr">
      <IconButton
        label={t(on ? 'trade.quick.off' : 'trade.quick.on')}
        data-on={on || undefined}
        disabled={blocked !== undefined}
        onClick={() => {
          quickTurnedOn.value = on ? undefined : id;
        }}
      >
        <Power size={20} />
      </IconButton>
      {on ? (
        <TurnedOn row={row} />
      ) : (
        <span className={styles.note} dir="auto">
          {blocked ?? t('trade.quick.title')}
        </span>
      )}
    </section>
  );
}

/** Another chart may have it turned on. */
function turnOff(id: number): void {
  if (quickTurnedOn.peek() === id) quickTurnedOn.value = undefined;
}

/** What a tap does at once. */
function TurnedOn({ row }: { row: ListRow }) {
  const t = useT();
  useFreshBalances();
  const { instrument } = row;
  const prices = useId();
  const armed = useArmed();
  const key = useValue(sending);
  const lost = useAnswerLost([key]);
  const sizes = useValue(quickLots);
  const [problem, setProblem] = useState<string>();
  const seen = { buy: useRef(Number.NaN), sell: useRef(Number.NaN) };
  const lots = sizes[instrument.id] ?? toText(instrument.minLots);
  const size = readLots(lots);
  const wrong = lotsProblem(size, instrument);
  const order = (side: Side) => {
    const ticket = quickTicket(instrument, side, lots, seen[side].current, {
      leverage: settings.leverage.peek(),
      slow: slowPrices.peek(),
    });
    const found = wrong ? ruleText(wrong.message) : overLimit(ticket, instrument);
    setProblem(found);
    if (found === undefined) void placeOrder(ticket, showPlaced);
  };
  const button = (side: Side) => (
    <Button
      key={side}
      variant={side === 'buy' ? 'up' : 'down'}
      busy={!armed || key !== undefined}
      aria-label={size && t(`trade.place.${side}`, { size: lotsText(size) })}
      aria-describedby={prices + side}
      onClick={() => order(side)}
    >
      <ButtonPrice id={prices + side} row={row} side={side} seen={seen[side]}>
        {t(`trade.${side}`)}
      </ButtonPrice>
    </Button>
  );
  return (
    <>
      {button('sell')}
      <Lots instrumentId={instrument.id} lots={lots} valid={!wrong} />
      {button('buy')}
      <Ends row={row} seen={seen} onProblem={setProblem} />
      {problem !== undefined && (
        <p className={styles.problem} role="alert" dir="auto">
          {problem}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {key !== undefined && t(lost ? 'trade.place.checking' : 'requests.sending')}
      </p>
    </>
  );
}

/** Why an order is too large for one tap. */
function overLimit(ticket: TicketInput, instrument: Instrument): string | undefined {
  const largest = readLargest(quickLargest.peek());
  if (!tooLarge(ticket, instrument, largest)) return undefined;
  return t('trade.quick.tooLarge', { amount: formatAmount(largest, 2) });
}

interface LotsProps {
  instrumentId: number;
  lots: string;
  valid: boolean;
}

/** The lots of a tap; each instrument has its own. */
function Lots({ instrumentId, lots, valid }: LotsProps) {
  const t = useT();
  const [text, setText] = useState('');
  // Another tab or chart may have set them: the field shows what a tap orders.
  const shown = (parseNumber(text) ?? '') === lots ? text : formatNumberInput(lots);
  return (
    <input
      className={styles.lots}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      aria-label={t('trade.ticket.lots')}
      aria-invalid={!valid}
      value={shown}
      onChange={({ target }) => {
        setText(target.value);
        const next = parseNumber(target.value) ?? '';
        quickLots.value = { ...quickLots.peek(), [instrumentId]: next };
      }}
      onFocus={({ target }) => target.select()}
    />
  );
}

interface EndsProps {
  row: ListRow;
  /** The prices on the buttons. */
  seen: Record<Side, RefObject<number>>;
  onProblem(text: string | undefined): void;
}

/** Ends what is held of the instrument: closes all of it, or turns it round where it is one position. */
function Ends({ row, seen, onProblem }: EndsProps) {
  const t = useT();
  const { instrument } = row;
  const held = useOrdersOf(instrument.id).filter(({ status }) => status === 'holding');
  const call = useCall();
  const [closing, setClosing] = useState(false);
  if (held.length === 0) return null;
  const [only] = held;
  const busy = call.busy || closing;
  const close = async () => {
    setClosing(true);
    const result = await changeOrders(
      held,
      (order) => workerApi.closeOrder(order, newKey(), true),
      () => undefined,
      () => !connectionLive.peek(),
    );
    setClosing(false);
    showToast(closingText(result), countChanged(result) < held.length ? 'error' : 'info');
  };
  const reverse = async (order: Order) => {
    const price = seen[OPPOSITE[order.side]].current;
    const quoteSeen = quotedPriceText(price, instrument.precision);
    const over = overLimit(oppositeTicket(order, quoteSeen), instrument);
    onProblem(over);
    if (over !== undefined) return;
    const result = await call.run((close, open) =>
      workerApi.reverseOrder(order, quoteSeen, { close, open }),
    );
    if (result?.ok && result.data.opened)
      showToast(reversedText(result.data.closed, result.data.opened));
  };
  return (
    <>
      {only && held.length === 1 && (
        <Button
          className={styles.end}
          aria-label={t('orders.reverse.name')}
          title={t('orders.reverse.name')}
          busy={busy}
          onClick={() => void reverse(only)}
        >
          <ArrowDownUp size={20} />
        </Button>
      )}
      <Button className={styles.end} busy={busy} onClick={() => void close()}>
        {t('orders.closeShort')}
      </Button>
    </>
  );
}
