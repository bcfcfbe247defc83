import { useEffect, useId, useState } from 'react';
import type { ListRow } from '#domain/market/list';
import type { Side } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import { proposal } from '../../../instruments/proposal';
import { savedForm } from '../../../requests/savedForms';
import { Button } from '../../../ui/Button';
import { Sheet } from '../../../ui/Sheet';
import { useValue } from '../../../useValue';
import { useFreshBalances } from '../../../worker/accountAmount';
import { user } from '../../../worker/trading';
import { ButtonPrice } from './ButtonPrice';
import styles from './OrderBar.module.css';
import { OrderForm } from './OrderForm';
import { type TicketForm, ticketName } from './ticketForm';
import { useBlockedReason } from './useBlockedReason';

/** Buy and sell within reach of the thumb; each opens the form. */
export function OrderBar({ row }: { row: ListRow }) {
  const t = useT();
  const prices = useId();
  const blocked = useBlockedReason(row);
  // After a login the saved form opens again.
  const [side, setSide] = useState<Side | undefined>(() =>
    user.peek() ? savedForm<TicketForm>(ticketName(row.instrument))?.side : undefined,
  );
  useFreshBalances(side !== undefined);
  const proposed = useValue(proposal);
  useEffect(() => {
    if (proposed?.code === row.instrument.code) setSide(proposed.side);
  }, [proposed, row.instrument.code]);
  const close = () => setSide(undefined);
  return (
    <div className={styles.bar}>
      {blocked !== undefined && <p className={styles.blocked}>{blocked}</p>}
      {(['buy', 'sell'] as const).map((pressed) => (
        <Button
          key={pressed}
          variant={pressed === 'buy' ? 'up' : 'down'}
          disabled={blocked !== undefined}
          aria-describedby={prices + pressed}
          onClick={() => setSide(pressed)}
        >
          <ButtonPrice id={prices + pressed} row={row} side={pressed}>
            {t(`trade.${pressed}`)}
          </ButtonPrice>
        </Button>
      ))}
      <Sheet low open={side !== undefined} onClose={close} title={row.instrument.name}>
        {/* The popup replaces the form. */}
        {side && <OrderForm key={row.instrument.id} row={row} side={side} onPlaced={close} />}
      </Sheet>
    </div>
  );
}
