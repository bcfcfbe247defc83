import { computed } from '@preact/signals-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { parseDecimal, toFixed, toText, ZERO } from '#domain/core/decimal';
import { readLots, readPrice, readUsd } from '#domain/core/readAmounts';
import type { Price } from '#domain/core/units';
import type { ListRow } from '#domain/market/list';
import type { AmendmentInput } from '#domain/trading/amendment';
import type { Order } from '#domain/trading/order';
import type { Problem, TicketField } from '#domain/trading/rules';
import { followedStop } from '#domain/trading/triggers';
import { ruleText } from '../../../i18n/failure';
import { formatAmount, formatPrice, UNKNOWN } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { formatNumberInput, parseNumber } from '../../../i18n/numberInput';
import { ExitField } from '../../../positions/ExitField';
import { exitEntryOfOrder, stopDistance, stopPrice } from '../../../positions/exitEntry';
import { LiveFigures } from '../../../positions/LiveFigures';
import { offerFormerTerms } from '../../../positions/undo';
import { CallButton } from '../../../requests/CallButton';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { focusInvalid } from '../../../ui/focusInvalid';
import { NumberField } from '../../../ui/NumberField';
import { useValue } from '../../../useValue';
import { marketNow } from '../../../worker/marketNow';
import { changePreview } from '../../../worker/trading';
import { useCall } from '../../../worker/useCall';
import { useRow } from '../../../worker/useRow';
import { workerApi } from '../../../worker/workerApi';
import { ExpiryField } from '../ticket/ExpiryField';
import { expiryEntryOf, expiryOf } from '../ticket/expiryEntry';
import { previewLabel } from '../ticket/previewLabel';
import { TargetField } from '../ticket/TargetField';
import styles from '../ticket/Ticket.module.css';
import {
  canStepDown,
  stepLots,
  stepPrice,
  type TicketForm,
  typingProblem,
} from '../ticket/ticketForm';
import { useBlockedReason } from '../ticket/useBlockedReason';

interface AmendOrderProps {
  order: Order;
  /** The price that its line was dragged to. */
  target?: Price | undefined;
  /** Called when the terms are saved or editing is cancelled. */
  onDone(): void;
}

/** Edits price, lots, exits and expiry of a pending order together (domain.md#amending). */
export default function AmendOrder(props: AmendOrderProps) {
  const row = useRow(props.order.code);
  return row?.instrument.id === props.order.instrumentId ? <Terms {...props} row={row} /> : null;
}

type Form = Pick<TicketForm, 'target' | 'lots' | 'stopLoss' | 'takeProfit' | 'expiry'>;
const KINDS = ['stopLoss', 'takeProfit'] as const;
/** Problems that no field shows. */
const ELSEWHERE: readonly TicketField[] = ['instrument', 'leverage', 'orders', 'balance'];

function formOf(order: Order, target: Price | undefined): Form {
  return {
    target: formatNumberInput(toFixed(target ?? order.originPrice, order.precision)),
    lots: formatNumberInput(toText(order.lots)),
    stopLoss: exitEntryOfOrder(order, 'stopLoss'),
    takeProfit: exitEntryOfOrder(order, 'takeProfit'),
    expiry: expiryEntryOf(order.until, marketNow()),
  };
}

/** As text, so that it changes only with what the form shows, not with each tick; undefined until the worker has priced it. */
const priced = computed(() => {
  const preview = changePreview.value;
  return preview && JSON.stringify({ margin: preview.margin, problem: preview.problem });
});

const usd = (text: string | undefined) => {
  const amount = parseDecimal(text);
  return amount ? `${formatAmount(amount, 2)} USD` : UNKNOWN;
};

function Terms({ order, target, onDone, row }: AmendOrderProps & { row: ListRow }) {
  const t = useT();
  const call = useCall();
  const blocked = useBlockedReason(row);
  const { instrument } = row;
  const { side, precision } = order;
  const [form, setForm] = useState(() => formOf(order, target));
  const set = (change: Partial<Form>) => setForm((now) => ({ ...now, ...change }));
  const [attempted, setAttempted] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const found = useValue(priced);
  const preview = found
    ? (JSON.parse(found) as { margin?: string; problem?: Problem })
    : { margin: undefined, problem: undefined };

  const price = readPrice(parseNumber(form.target));
  const lots = readLots(parseNumber(form.lots));
  const margin = readUsd(preview.margin);
  const position =
    price && lots && margin
      ? { side, lots, price, margin, precision, unitsPerLot: instrument.unitsPerLot }
      : undefined;
  const terms: AmendmentInput = {
    targetPrice: parseNumber(form.target) ?? '',
    lots: parseNumber(form.lots) ?? '',
    stopLoss: stopPrice(form.stopLoss, 'stopLoss', position),
    takeProfit: stopPrice(form.takeProfit, 'takeProfit', position),
    trailing: stopDistance(form.stopLoss, position),
    until: expiryOf(form.expiry, marketNow()),
  };
  const sent = JSON.stringify(terms);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sent` stands for `terms`
  useEffect(() => {
    void workerApi.setChange({ id: order.id, terms });
  }, [order.id, sent]);
  useEffect(
    () => () => {
      void workerApi.setChange(undefined);
      changePreview.value = undefined;
    },
    [],
  );
  const formats = useMemo(() => {
    const stopOutPrice = (text: string | undefined) =>
      text ? formatPrice(Number(text), precision) : UNKNOWN;
    return { margin: usd, fee: usd, stopOutPrice };
  }, [precision]);

  const typing = typingProblem({ ...form, type: 'pending', slippage: { on: false, points: '' } });
  const problem = typing ?? preview.problem;
  const errorOf = (field: TicketField, text: string) =>
    problem?.field === field && (attempted || text !== '') ? ruleText(problem.message) : undefined;
  const note =
    blocked ??
    (problem && ELSEWHERE.includes(problem.field) ? ruleText(problem.message) : undefined);

  const save = async () => {
    setAttempted(true);
    if (problem) {
      focusInvalid(fields);
      return;
    }
    const result = await call.run((key) => workerApi.amendOrder(order.id, terms, key));
    if (!result?.ok) return;
    offerFormerTerms(order, result.data);
    onDone();
  };

  return (
    <div className={styles.ticket}>
      <div ref={fields} className={styles.fields}>
        <TargetField
          row={row}
          side={side}
          target={form.target}
          onChange={(target) => set({ target })}
          onStep={(direction) =>
            set({ target: stepPrice(form.target, direction, instrument, order.originPrice) })
          }
          error={errorOf('targetPrice', form.target)}
        />
        <NumberField
          label={t('trade.ticket.lots')}
          text={form.lots}
          onChange={(lots) => set({ lots })}
          onStep={(direction) => set({ lots: stepLots(form.lots, direction, instrument) })}
          canDecrease={canStepDown(form.lots, instrument)}
          error={errorOf('lots', form.lots)}
        />
        <div className={styles.exits}>
          {KINDS.map((kind) => (
            <ExitField
              key={kind}
              kind={kind}
              entry={form[kind]}
              onChange={(entry) => set({ [kind]: entry })}
              position={position}
              stopAt={(trailing) =>
                price && followedStop({ side, stopLoss: ZERO, trailing }, price)
              }
              error={errorOf(form[kind].trailing ? 'trailing' : kind, form[kind].text)}
            />
          ))}
        </div>
        <ExpiryField
          entry={form.expiry}
          onChange={(expiry) => set({ expiry })}
          error={errorOf('until', form.expiry.kind)}
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
