import { useMemo, useRef } from 'react';
import { ZERO } from '#domain/core/decimal';
import type { ListRow } from '#domain/market/list';
import type { Order } from '#domain/trading/order';
import { followedStop } from '#domain/trading/triggers';
import { useT } from '../../../i18n/i18n';
import { priceOrUnknown, usdOrUnknown } from '../../../positions/accountFormats';
import { ExitField } from '../../../positions/ExitField';
import { LiveFigures } from '../../../positions/LiveFigures';
import { usePracticeOrders } from '../../../positions/practiceOrders';
import { CallButton } from '../../../requests/CallButton';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { focusInvalid } from '../../../ui/focusInvalid';
import { NumberField } from '../../../ui/NumberField';
import { changePreview } from '../../../worker/trading';
import { useRow } from '../../../worker/useRow';
import { ExpiryField } from '../ticket/ExpiryField';
import { previewLabel } from '../ticket/previewLabel';
import { TargetField } from '../ticket/TargetField';
import styles from '../ticket/Ticket.module.css';
import { canStepDown, stepLots, stepPrice } from '../ticket/ticketForm';
import { type AmendForm, useAmendment } from './useAmendment';

export interface AmendOrderProps {
  order: Order;
  /** What the user has entered elsewhere: a line that was dragged, a cell of a table. */
  edits?: Partial<AmendForm> | undefined;
  /** Called when the terms are saved or editing is cancelled. */
  onDone(): void;
}

/** Edits price, lots, exits and expiry of a pending order together (domain.md#amending). */
export function AmendOrder(props: AmendOrderProps) {
  const listed = useRow(props.order.code);
  const row = usePracticeOrders()?.row ?? listed;
  return row?.instrument.id === props.order.instrumentId ? <Terms {...props} row={row} /> : null;
}

const KINDS = ['stopLoss', 'takeProfit'] as const;

function Terms({ order, edits, onDone, row }: AmendOrderProps & { row: ListRow }) {
  const t = useT();
  const amendment = useAmendment(order, row, edits);
  const { form, change, price, position, errorOf, blocked, note, call } = amendment;
  const { instrument } = row;
  const { side, precision } = order;
  const fields = useRef<HTMLDivElement>(null);
  const formats = useMemo(
    () => ({
      margin: usdOrUnknown,
      fee: usdOrUnknown,
      stopOutPrice: (text: string | undefined) => priceOrUnknown(text, precision),
    }),
    [precision],
  );
  const save = async () => {
    if (!amendment.check()) focusInvalid(fields);
    else if ((await amendment.save())?.ok) onDone();
  };

  return (
    <div className={styles.ticket}>
      <div ref={fields} className={styles.fields}>
        <TargetField
          row={row}
          side={side}
          target={form.target}
          preview={changePreview}
          onChange={(target) => change({ target })}
          onStep={(direction) =>
            change({ target: stepPrice(form.target, direction, instrument, order.originPrice) })
          }
          error={errorOf('target')}
        />
        <NumberField
          label={t('trade.ticket.lots')}
          text={form.lots}
          onChange={(lots) => change({ lots })}
          onStep={(direction) => change({ lots: stepLots(form.lots, direction, instrument) })}
          canDecrease={canStepDown(form.lots, instrument)}
          error={errorOf('lots')}
        />
        <div className={styles.exits}>
          {KINDS.map((kind) => (
            <ExitField
              key={kind}
              kind={kind}
              entry={form[kind]}
              onChange={(entry) => change({ [kind]: entry })}
              position={position}
              stopAt={(trailing) =>
                price && followedStop({ side, stopLoss: ZERO, trailing }, price)
              }
              error={errorOf(kind)}
            />
          ))}
        </div>
        <ExpiryField
          entry={form.expiry}
          onChange={(expiry) => change({ expiry })}
          error={errorOf('expiry')}
        />
      </div>
      <div className={styles.foot}>
        {note !== undefined && (
          <p className={styles.problem} role="alert">
            {note}
          </p>
        )}
        <LiveFigures
          source={changePreview}
          formats={formats}
          label={(name) => previewLabel(name)}
          basis={({ margin, fee }) => `${margin} ${fee}`}
          className={styles.change}
        />
        <ButtonPair>
          <Button onClick={onDone}>{t('common.cancel')}</Button>
          <CallButton
            call={call}
            label={t('orders.saveAmended')}
            variant="primary"
            disabled={!call.busy && blocked !== undefined}
            onClick={() => void save()}
          />
        </ButtonPair>
      </div>
    </div>
  );
}
