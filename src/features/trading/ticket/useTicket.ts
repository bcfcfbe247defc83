import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { readPrice } from '#domain/core/readAmounts';
import type { Price } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { PositionWithMargin } from '#domain/trading/exits';
import type { Side } from '#domain/trading/order';
import type { Problem } from '#domain/trading/rules';
import type { TicketPreview } from '#domain/worker/trading';
import { formatNumberInput } from '../../../i18n/numberInput';
import { useNumberTexts } from '../../../i18n/numberTexts';
import { proposal } from '../../../instruments/proposal';
import { ordersNow, usePracticeOrders } from '../../../positions/practiceOrders';
import { useSaveAtSessionEnd, useSavedForm } from '../../../requests/savedForms';
import { throttledEffect } from '../../../ui/throttle';
import { useValue } from '../../../useValue';
import { ticketPreview } from '../../../worker/trading';
import { workerApi } from '../../../worker/workerApi';
import * as settings from '../settings';
import { problemOf, useRevision } from './problemNow';
import {
  emptyExit,
  newTicket,
  positionOf,
  TICKET_NUMBERS,
  type TicketForm,
  ticketName,
  toTicketInput,
  typingProblem,
} from './ticketForm';

export interface Ticket {
  form: TicketForm;
  /** Changes some fields; always the same function. */
  set(change: Partial<TicketForm>): void;
  /** What a stop that follows the price starts from; undefined while not priced. */
  exitReference: Price | undefined;
  /** Whether the order is filled at bid or ask. */
  atQuote: boolean;
  /** What the exits are computed from; undefined while not priced or where no exit is enabled. */
  position: PositionWithMargin | undefined;
  /** The first problem and its field. */
  problem: Problem | undefined;
  /** The same of exactly what is typed now. */
  problemNow(): Problem | undefined;
}

/**
 * The state of the order form and the worker's preview of it. Renders only when the preview affects
 * the form, not on each tick.
 */
export function useTicket(instrument: Instrument, side: Side): Ticket {
  const name = ticketName(instrument);
  const practice = usePracticeOrders();
  const saved = useSavedForm<TicketForm>(name, TICKET_NUMBERS);
  const [form, setForm] = useNumberTexts(
    TICKET_NUMBERS,
    () => saved ?? newTicket(instrument, side, settings.leverage.peek(), settings.sizeUnit.peek()),
  );
  useSaveAtSessionEnd(name, form);
  const set = useCallback(
    (change: Partial<TicketForm>) => {
      if (change.leverage && !practice) settings.leverage.value = change.leverage;
      setForm((now) => ({ ...now, ...withSizeInLots(now, change), ...change }));
    },
    [setForm, practice],
  );
  const proposed = useValue(proposal);
  useEffect(() => {
    if (proposed?.code !== instrument.code) return;
    const { side, target } = proposed;
    set({
      side,
      ...(target !== undefined && { type: 'pending', target: formatNumberInput(target) }),
    });
    proposal.value = undefined;
  }, [proposed, instrument.code, set]);
  const stopped = form.stopLoss.on || form.takeProfit.on;
  const preview = usePreviewSlice(stopped);
  const revision = useRevision(form);
  const input = useMemo(
    () => ({
      ...toTicketInput(form, instrument, preview, '', false, ordersNow(practice)),
      revision,
    }),
    [form, instrument, preview, practice, revision],
  );
  const sent = JSON.stringify(input);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `sent` stands for `input`
  useEffect(() => {
    void (practice ?? workerApi).setTicket(input);
  }, [sent, practice]);
  useEffect(
    () => () => {
      void (practice ?? workerApi).setTicket(undefined);
      ticketPreview.value = undefined;
    },
    [practice],
  );

  // The same while their numbers are, so that the fields that take them need not render.
  const { side: formSide, lots } = form;
  const { price, margin, exitReference } = preview ?? {};
  const position = useMemo(
    () => positionOf({ side: formSide, lots }, instrument, { price, margin }),
    [formSide, lots, instrument, price, margin],
  );

  return {
    form,
    set,
    exitReference: useMemo(() => readPrice(exitReference), [exitReference]),
    atQuote: preview?.atQuote ?? false,
    position,
    // Where the form has no price while it is typed, the next preview says why.
    problem:
      typingProblem(form) ??
      preview?.problem ??
      (preview && !position ? undefined : emptyExit(form, position)),
    problemNow() {
      const latest = ticketPreview.peek();
      return (
        typingProblem(form) ??
        problemOf(latest, revision) ??
        emptyExit(form, positionOf(form, instrument, latest))
      );
    },
  };
}

/** An amount that was typed gives way to the lots that are set, and to what they are at another price. */
function withSizeInLots({ size }: TicketForm, change: Partial<TicketForm>): Partial<TicketForm> {
  const { lots, target, side, type } = change;
  return size && (lots ?? target ?? side ?? type) !== undefined
    ? { size: { unit: size.unit } }
    : {};
}

/**
 * The parts of the preview that affect the form: the problem, where it is filled, and price and margin where
 * stops need them. As text, so that equal values compare equal.
 */
function usePreviewSlice(priced: boolean): TicketPreview | undefined {
  const subscribe = useCallback(
    (changed: () => void) =>
      throttledEffect(() => JSON.stringify(unpriced(ticketPreview.value, priced)), changed),
    [priced],
  );
  const slice = useSyncExternalStore(subscribe, () => {
    const preview = ticketPreview.peek();
    if (!preview) return '';
    const { price, exitReference, margin } = preview;
    const figures = priced ? { price, exitReference, margin } : {};
    return JSON.stringify({ ...unpriced(preview, priced), ...figures });
  });
  return useMemo(() => (slice ? (JSON.parse(slice) as TicketPreview) : undefined), [slice]);
}

/** What affects the form and does not follow the price: the size only where stops show amounts of it. */
function unpriced(preview: TicketPreview | undefined, priced: boolean) {
  if (!preview) return undefined;
  const { problem, atQuote, units } = preview;
  return { problem, atQuote, ...(priced && { units }) };
}
