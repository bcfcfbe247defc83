import { useEffect, useState } from 'react';
import type { ListRow } from '#domain/market/list';
import type { Side } from '#domain/trading/order';
import { user } from '../../../gateway/trading';
import { useT } from '../../../i18n/i18n';
import { savedForm } from '../../../requests/savedForms';
import { useValue } from '../../../signals';
import { Button } from '../../../ui/Button';
import { Sheet } from '../../../ui/Sheet';
import styles from './OrderBar.module.css';
import { placedOrder } from './placeOrder';
import { proposal } from './proposal';
import { TicketPanel } from './TicketPanel';
import { type TicketForm, ticketName } from './ticketForm';
import { useBlockedReason } from './useBlockedReason';

/** Buy and sell within reach of the thumb; each opens the form. */
export function OrderBar({ row }: { row: ListRow }) {
  const t = useT();
  const blocked = useBlockedReason(row);
  // After a login the saved form opens again.
  const [side, setSide] = useState<Side | undefined>(() =>
    user.peek() ? savedForm<TicketForm>(ticketName(row.instrument))?.side : undefined,
  );
  const proposed = useValue(proposal);
  useEffect(() => {
    if (proposed?.instrumentId === row.instrument.id) setSide(proposed.side);
  }, [proposed, row.instrument.id]);
  const close = () => setSide(undefined);
  const accepted = useValue(placedOrder) !== undefined;
  // The popup replaces the form.
  useEffect(() => {
    if (accepted) setSide(undefined);
  }, [accepted]);
  return (
    <div className={styles.bar}>
      {blocked !== undefined && <p className={styles.blocked}>{blocked}</p>}
      <Button variant="up" disabled={blocked !== undefined} onClick={() => setSide('buy')}>
        {t('trade.buy')}
      </Button>
      <Button variant="down" disabled={blocked !== undefined} onClick={() => setSide('sell')}>
        {t('trade.sell')}
      </Button>
      <Sheet low open={side !== undefined} onClose={close} title={row.instrument.name}>
        {side && <TicketPanel key={row.instrument.id} row={row} side={side} />}
      </Sheet>
    </div>
  );
}
