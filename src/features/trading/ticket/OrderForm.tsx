import { memo, useEffect, useRef, useState } from 'react';
import { toText, ZERO } from '#domain/core/decimal';
import { readPrice } from '#domain/core/readAmounts';
import type { Instrument } from '#domain/market/instrument';
import type { ListRow } from '#domain/market/list';
import { quotedPrice } from '#domain/market/quotedPrice';
import type { Side } from '#domain/trading/order';
import { SLOW_SLIPPAGE, type TicketField } from '#domain/trading/rules';
import { followedStop } from '#domain/trading/triggers';
import { ruleText } from '../../../i18n/failure';
import { formatExact, formatExactRate } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { proposal } from '../../../instruments/proposal';
import { ExitField } from '../../../positions/ExitField';
import type { ExitEntry, ExitKind } from '../../../positions/exitEntry';
import { usePracticeOrders } from '../../../positions/practiceOrders';
import { Checkbox } from '../../../ui/Checkbox';
import { Chips } from '../../../ui/Chips';
import { focusInvalid } from '../../../ui/focusInvalid';
import { NumberField } from '../../../ui/NumberField';
import { Segmented } from '../../../ui/Segmented';
import { useValue } from '../../../useValue';
import { slowPrices } from '../../../worker/frameReceiver';
import { ticketPreview } from '../../../worker/trading';
import { TopOfBookPrices } from '../TopOfBookPrices';
import { ExpiryField } from './ExpiryField';
import { SideSwitch } from './SideSwitch';
import { SizeField } from './SizeField';
import { TargetField } from './TargetField';
import styles from './Ticket.module.css';
import { TicketFigures } from './TicketFigures';
import { TicketFoot, type TicketFootProps } from './TicketFoot';
import { TicketRisk } from './TicketRisk';
import { stepPrice, type TicketForm } from './ticketForm';
import { type Ticket, useTicket } from './useTicket';

interface OrderFormProps extends Pick<TicketFootProps, 'row' | 'onPlaced'> {
  side: Side;
}

/** The order form (screens.md#order-form): in a sheet on a phone, beside the chart on a desktop. */
export function OrderForm({ row, side, onPlaced }: OrderFormProps) {
  const t = useT();
  const { instrument } = row;
  const ticket = useTicket(instrument, side);
  const { form, set, position, exitReference } = ticket;
  const fields = useRef<HTMLDivElement>(null);
  const proposed = useValue(proposal);
  // Proposed by a key: the next one types the lots.
  useEffect(() => {
    if (proposed?.code !== instrument.code || proposed.target !== undefined) return;
    fields.current?.querySelector<HTMLInputElement>('input[inputmode=decimal]')?.select();
  }, [proposed, instrument.code]);
  const [attempted, setAttempted] = useState(false);
  const errorOf = (field: TicketField, text: string) =>
    ticket.problem?.field === field && (attempted || text !== '')
      ? ruleText(ticket.problem.message)
      : undefined;

  return (
    <div className={styles.ticket}>
      <div ref={fields} className={styles.fields}>
        <Kinds side={form.side} type={form.type} set={set} />
        {form.type === 'market' && <TopOfBookPrices row={row} className={styles.topOfBook} />}
        {ticket.atQuote && <p className="caption">{t('trade.ticket.atQuote')}</p>}
        {form.type === 'pending' && (
          <TargetField
            row={row}
            side={form.side}
            target={form.target}
            preview={ticketPreview}
            onChange={(target) => set({ target })}
            onStep={(direction) =>
              set({ target: stepPrice(form.target, direction, instrument, quoteNow(row)) })
            }
            error={errorOf('targetPrice', form.target)}
          />
        )}
        <SizeField
          ticket={ticket}
          instrument={instrument}
          error={errorOf('lots', form.size?.text ?? form.lots)}
        />
        <LeverageField
          leverage={form.leverage}
          set={set}
          instrument={instrument}
          error={errorOf('leverage', form.leverage)}
        />
        <div className={styles.exits}>
          {(['stopLoss', 'takeProfit'] as const).map((kind) => (
            <TicketExit
              key={kind}
              kind={kind}
              entry={form[kind]}
              set={set}
              side={form.side}
              position={position}
              reference={exitReference}
              error={errorOf(form[kind].trailing ? 'trailing' : kind, form[kind].text)}
            />
          ))}
          <TicketRisk />
        </div>
        {form.type === 'pending' && (
          <ExpiryField
            entry={form.expiry}
            onChange={(expiry) => set({ expiry })}
            error={errorOf('until', form.expiry.kind)}
          />
        )}
        <TicketFigures instrument={instrument} />
        {form.type === 'market' && (
          <SlippageField
            slippage={form.slippage}
            set={set}
            error={errorOf('deviation', form.slippage.points)}
          />
        )}
      </div>
      <TicketFoot
        row={row}
        ticket={ticket}
        onPlaced={onPlaced}
        onAttempt={() => {
          setAttempted(true);
          focusInvalid(fields);
        }}
      />
    </div>
  );
}

function quoteNow({ instrument, quote }: ListRow) {
  return readPrice(ticketPreview.peek()?.price) ?? quotedPrice(quote.close, instrument.precision);
}

interface FieldProps {
  set: Ticket['set'];
  error: string | undefined;
}

// A key in one field renders no other: each of these knows the least that it shows.

const Kinds = memo(function Kinds({
  side,
  type,
  set,
}: Pick<TicketForm, 'side' | 'type'> & Pick<FieldProps, 'set'>) {
  const t = useT();
  return (
    <div className={styles.kinds}>
      <SideSwitch side={side} onChange={(next) => set({ side: next })} />
      <Segmented
        label={t('trade.ticket.type')}
        options={[
          { value: 'market', label: t('trade.ticket.market') },
          { value: 'pending', label: t('trade.ticket.pending') },
        ]}
        value={type}
        onChange={(next) => set({ type: next })}
      />
    </div>
  );
});

interface TicketExitProps extends FieldProps {
  kind: ExitKind;
  entry: ExitEntry;
  side: Side;
  position: Ticket['position'];
  reference: Ticket['exitReference'];
}

const TicketExit = memo(function TicketExit({ set, side, reference, ...exit }: TicketExitProps) {
  return (
    <ExitField
      {...exit}
      onChange={(entry) => set({ [exit.kind]: entry })}
      stopAt={(trailing) =>
        reference && followedStop({ side, stopLoss: ZERO, trailing }, reference)
      }
    />
  );
});

const LeverageField = memo(function LeverageField({
  leverage,
  set,
  instrument,
  error,
}: FieldProps & Pick<TicketForm, 'leverage'> & { instrument: Instrument }) {
  const t = useT();
  const { leverages, marginMode } = instrument;
  // In both margin modes, an empty list of leverages means no order (domain.md#leverage).
  if (leverages.length === 0) {
    return <p className={styles.problem}>{ruleText({ key: 'noLeverage' })}</p>;
  }
  if (marginMode === 'fixed') return null;
  return (
    <div>
      <p className="caption" aria-hidden="true">
        {t('trade.ticket.leverage')}
      </p>
      <Chips
        label={t('trade.ticket.leverage')}
        options={leverages.map((value) => ({
          value: toText(value),
          label: t('common.times', { value: formatExact(value) }),
        }))}
        value={leverage}
        onChange={(next) => set({ leverage: next })}
      />
      {error !== undefined && <p className={styles.problem}>{error}</p>}
    </div>
  );
});

const SlippageField = memo(function SlippageField({
  slippage,
  set,
  error,
}: FieldProps & Pick<TicketForm, 'slippage'>) {
  const t = useT();
  const practice = usePracticeOrders();
  const slow = useValue(slowPrices) && !practice;
  const change = (next: Partial<typeof slippage>) => set({ slippage: { ...slippage, ...next } });
  return (
    <div>
      <Checkbox checked={slippage.on} onChange={(on) => change({ on })}>
        {t('trade.ticket.limitSlippage')}
      </Checkbox>
      {slow && !slippage.on && (
        <p className="caption">
          {t('trade.ticket.slippage')} {formatExactRate(SLOW_SLIPPAGE)}
        </p>
      )}
      {slippage.on && (
        <NumberField
          label={t('trade.ticket.slippage')}
          text={slippage.points}
          onChange={(points) => change({ points })}
          suffix={t('trade.ticket.points')}
          error={error}
        />
      )}
    </div>
  );
});
