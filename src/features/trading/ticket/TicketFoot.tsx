import { useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { readLots } from '#domain/core/readAmounts';
import type { ListRow } from '#domain/market/list';
import type { TicketInput } from '#domain/trading/ticketInput';
import { ruleText } from '../../../i18n/failure';
import { UNKNOWN } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { parseNumber } from '../../../i18n/numberInput';
import { lotsText } from '../../../positions/lotsText';
import { useOpenDemo } from '../../../positions/openDemo';
import { showPlaced } from '../../../positions/placedText';
import { ordersNow, usePracticeOrders } from '../../../positions/practiceOrders';
import { saveForm } from '../../../requests/savedForms';
import { Button } from '../../../ui/Button';
import { useArmed } from '../../../ui/useArmed';
import { useValue } from '../../../useValue';
import { slowPrices } from '../../../worker/frameReceiver';
import { ticketPreview, user } from '../../../worker/trading';
import { useAnswerLost } from '../../../worker/useAnswerLost';
import * as settings from '../settings';
import { ButtonPrice } from './ButtonPrice';
import { ConfirmOrder } from './ConfirmOrder';
import { placeOrder, popUp, sending } from './placeOrder';
import styles from './Ticket.module.css';
import { TicketCost } from './TicketFigures';
import { ticketName, toTicketInput } from './ticketForm';
import { useBlockedReason } from './useBlockedReason';
import type { Ticket } from './useTicket';

export interface TicketFootProps {
  row: ListRow;
  ticket: Ticket;
  /** Called when the user orders but something has to be corrected first. */
  onAttempt(): void;
  /** Called when the order is accepted while the form is in sight. */
  onPlaced?: (() => void) | undefined;
}

/** The order button with what the order costs, its problems and its confirmation. */
export function TicketFoot({ row, ticket, onAttempt, onPlaced }: TicketFootProps) {
  const t = useT();
  const { form, problem } = ticket;
  const { instrument } = row;
  const blocked = useBlockedReason(row);
  const practice = usePracticeOrders();
  const visitor = useValue(user) === null && !practice;
  const key = useValue(sending);
  const lost = useAnswerLost([key]);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [confirming, setConfirming] = useState(false);
  const { opening, open } = useOpenDemo();
  const busy = key !== undefined || opening;
  const oneTap = useValue(settings.oneTap);
  const armed = useArmed();
  const noteId = useId();
  const priceId = useId();
  const orders = useRef<HTMLButtonElement>(null);
  const inSight = useRef(false);
  useEffect(() => {
    inSight.current = true;
    return () => {
      inSight.current = false;
    };
  }, []);
  // Prices were interrupted: the figures that the user read may be outdated.
  useEffect(() => {
    if (blocked !== undefined) setConfirming(false);
  }, [blocked]);

  const input = () => {
    const preview = ticketPreview.peek();
    const slow = slowPrices.peek() && !practice;
    return toTicketInput(form, instrument, preview, preview?.price, slow, ordersNow(practice));
  };
  const attempt = (then: () => void) => {
    setConfirming(false);
    if (ticket.problemNow()) onAttempt();
    else then();
  };
  // For a form that was left the popup would come late, over what the user does by then.
  const place = (sent: TicketInput) =>
    placeOrder(sent, (placed) => {
      if (!inSight.current) return showPlaced(placed);
      popUp(placed);
      onPlaced?.();
    });
  const send = () =>
    attempt(() => {
      if (practice) practice.place(input());
      else void place(input());
    });
  const order = () => {
    if (oneTap) send();
    else attempt(() => setConfirming(true));
  };
  // A visitor is sent to the login (screens.md#order-form); the saved form is restored after it.
  const logIn = () => {
    saveForm(ticketName(instrument), form);
    void navigate(`/login?from=${encodeURIComponent(pathname + search)}`);
  };
  // No confirmation, because the button's label says that it also orders.
  const openDemoAndOrder = () =>
    attempt(async () => {
      // The form may change, or be left, before the account is open.
      const tapped = input();
      const result = await open();
      if (!result.ok) return;
      // The button that was pressed goes with the visitor; its focus does not.
      orders.current?.focus({ preventScroll: true });
      await place(tapped);
    });

  const lots = readLots(parseNumber(form.lots));
  const size = lots ? lotsText(lots) : UNKNOWN;
  const elsewhere = problem && ['balance', 'instrument', 'orders'].includes(problem.field);
  const note = blocked ?? (problem && elsewhere ? ruleText(problem.message) : undefined);
  const text = () => {
    if (lost) return t('trade.place.checking');
    if (busy) return t('requests.sending');
    return t(`trade.place.${form.side}`, { size });
  };
  return (
    <>
      {confirming && blocked === undefined && !busy ? (
        <ConfirmOrder
          row={row}
          input={input()}
          onBack={() => setConfirming(false)}
          onConfirm={send}
        />
      ) : (
        <div className={styles.foot}>
          {note !== undefined && (
            <p id={noteId} className={styles.problem} role="alert">
              {note}
            </p>
          )}
          <TicketCost instrument={instrument} />
          <div className={styles.choices}>
            <Button
              ref={orders}
              variant={form.side === 'buy' ? 'up' : 'down'}
              disabled={blocked !== undefined}
              busy={busy || (oneTap && !armed)}
              aria-describedby={note === undefined ? priceId : `${noteId} ${priceId}`}
              onClick={visitor ? logIn : order}
            >
              <ButtonPrice id={priceId} row={row}>
                {text()}
              </ButtonPrice>
            </Button>
            {visitor && blocked === undefined && (
              <Button variant="primary" busy={busy} onClick={openDemoAndOrder}>
                {t(`trade.demo.${form.side}`, { size })}
              </Button>
            )}
          </div>
          {visitor && blocked === undefined && (
            <p className={styles.note}>{t('trade.demo.note')}</p>
          )}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {busy && text()}
      </p>
    </>
  );
}
