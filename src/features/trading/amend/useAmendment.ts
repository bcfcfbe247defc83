import { computed } from '@preact/signals-react';
import { useEffect, useState } from 'react';
import { sign, toFixed, toText } from '#domain/core/decimal';
import { readLots, readPrice, readUsd } from '#domain/core/readAmounts';
import type { Done, Result } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { Price } from '#domain/core/units';
import type { ListRow } from '#domain/market/list';
import type { AmendmentInput } from '#domain/trading/amendment';
import type { PositionWithMargin } from '#domain/trading/exits';
import type { Order } from '#domain/trading/order';
import type { Problem, TicketField } from '#domain/trading/rules';
import { ruleText } from '../../../i18n/failure';
import { formatDateTime } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { formatNumberInput, parseNumber } from '../../../i18n/numberInput';
import { exitEntryOfOrder, stopDistance, stopPrice } from '../../../positions/exitEntry';
import { ordersNow, usePracticeOrders } from '../../../positions/practiceOrders';
import { offerFormerTerms } from '../../../positions/undo';
import { useEdits } from '../../../positions/useEdits';
import { useValue } from '../../../useValue';
import { changePreview } from '../../../worker/trading';
import { type Call, useCall } from '../../../worker/useCall';
import { workerApi } from '../../../worker/workerApi';
import { expiryEntryOf, expiryOf } from '../ticket/expiryEntry';
import { problemOf, useRevision } from '../ticket/problemNow';
import { emptyExit, TICKET_NUMBERS, type TicketForm, typingProblem } from '../ticket/ticketForm';
import { useBlockedReason } from '../ticket/useBlockedReason';

/** The terms of a pending order as they are typed. */
export type AmendForm = Pick<TicketForm, 'target' | 'lots' | 'stopLoss' | 'takeProfit' | 'expiry'>;

/** A term that can be edited in a cell of a table. */
export type CellTerm = Exclude<keyof AmendForm, 'expiry'>;

/** The term that has to change; the others are no part of the form. */
const TERM_OF: Partial<Record<TicketField, keyof AmendForm>> = {
  targetPrice: 'target',
  lots: 'lots',
  stopLoss: 'stopLoss',
  trailing: 'stopLoss',
  takeProfit: 'takeProfit',
  until: 'expiry',
};

/** As text, so that it changes only with what the form shows, not with each tick; undefined until the worker has priced it. */
const priced = computed(() => {
  const preview = changePreview.value;
  return preview && JSON.stringify({ margin: preview.margin, problem: preview.problem });
});

interface Amendment {
  form: AmendForm;
  change(terms: Partial<AmendForm>): void;
  /** As `EditedTerms.changed`. */
  changed: boolean;
  /** The price that is typed; undefined where it can't be read. */
  price: Price | undefined;
  /** What the exits are computed from; undefined until the worker has priced the terms. */
  position: PositionWithMargin | undefined;
  errorOf(term: keyof AmendForm): string | undefined;
  /** Why nothing can be changed now. */
  blocked: string | undefined;
  /** What is wrong with no term. */
  note: string | undefined;
  /** Whether the terms can be saved; what is wrong is shown from then on. */
  check(): boolean;
  /** As `Call.run`. */
  save(): Promise<Result<Done<Order>> | undefined>;
  call: Call;
}

/** The terms of a pending order while they are edited, in a sheet or in a cell, previewed by the worker (domain.md#amending). */
export function useAmendment(order: Order, row: ListRow, given?: Partial<AmendForm>): Amendment {
  const t = useT();
  const practice = usePracticeOrders();
  const call = useCall(practice !== undefined);
  const blocked = useBlockedReason(row);
  const now = ordersNow(practice);
  const edits = useEdits(formOf(order, now), TICKET_NUMBERS, given);
  const form = edits.terms;
  const [attempted, setAttempted] = useState(false);
  const found = useValue(priced);
  const preview = found
    ? (JSON.parse(found) as { margin?: string; problem?: Problem })
    : { margin: undefined, problem: undefined };

  const { side, precision } = order;
  const price = readPrice(parseNumber(form.target));
  const lots = readLots(parseNumber(form.lots));
  const margin = readUsd(preview.margin);
  const position =
    price && lots && margin && sign(price) > 0 && sign(lots) > 0
      ? { side, lots, price, margin, precision, unitsPerLot: row.instrument.unitsPerLot }
      : undefined;
  const revision = useRevision(JSON.stringify(form));
  const terms: AmendmentInput = {
    targetPrice: parseNumber(form.target) ?? '',
    lots: parseNumber(form.lots) ?? '',
    stopLoss: stopPrice(form.stopLoss, 'stopLoss', position),
    takeProfit: stopPrice(form.takeProfit, 'takeProfit', position),
    trailing: stopDistance(form.stopLoss, position),
    until: expiryOf(form.expiry, now),
  };
  const sent = JSON.stringify(terms);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sent` stands for `terms`
  useEffect(() => {
    void (practice ?? workerApi).setChange({ id: order.id, terms: { ...terms, revision } });
  }, [order.id, sent, revision, practice]);
  useEffect(
    () => () => {
      void (practice ?? workerApi).setChange(undefined);
      changePreview.value = undefined;
    },
    [practice],
  );

  const typing = typingProblem({ ...form, type: 'pending', slippage: { on: false, points: '' } });
  const empty = emptyExit(form, position);
  // As of the order form.
  const problem = typing ?? preview.problem ?? (found && !position ? undefined : empty);
  const wrong = problem && TERM_OF[problem.field];
  return {
    form,
    change: edits.change,
    changed: edits.changed,
    price,
    position,
    errorOf(term) {
      if (problem && wrong === term && (attempted || textOf(form, term) !== ''))
        return ruleText(problem.message);
      return edits.overtaken === term && !call.busy
        ? t('orders.changedTo', { value: presentText(order, term, now) || t('orders.none') })
        : undefined;
    },
    blocked,
    note: blocked ?? (problem && !wrong ? ruleText(problem.message) : undefined),
    check() {
      setAttempted(true);
      const wrongNow = typing ?? problemOf(changePreview.peek(), revision) ?? empty;
      return !wrongNow && edits.tell();
    },
    async save() {
      const api = practice ?? workerApi;
      const result = await call.run((key) => api.amendOrder(order.id, terms, key));
      if (result?.ok && !practice) offerFormerTerms(order, result.data);
      return result;
    },
    call,
  };
}

function formOf(order: Order, now: UnixMs): AmendForm {
  return {
    target: formatNumberInput(toFixed(order.originPrice, order.precision)),
    lots: formatNumberInput(toText(order.lots)),
    stopLoss: exitEntryOfOrder(order, 'stopLoss'),
    takeProfit: exitEntryOfOrder(order, 'takeProfit'),
    expiry: expiryEntryOf(order.until, now),
  };
}

/** What is typed of a term. */
function textOf(form: AmendForm, term: keyof AmendForm): string {
  const entry = form[term];
  if (typeof entry === 'string') return entry;
  return 'text' in entry ? entry.text : entry.kind;
}

/** What an order has of a term; empty where that is nothing. */
function presentText(order: Order, term: keyof AmendForm, now: UnixMs): string {
  if (term !== 'expiry') return textOf(formOf(order, now), term);
  return order.until === undefined ? '' : formatDateTime(order.until);
}
