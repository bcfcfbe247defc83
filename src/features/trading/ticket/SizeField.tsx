import { computed } from '@preact/signals-core';
import { useLayoutEffect, useRef } from 'react';
import { parseDecimal, toText } from '#domain/core/decimal';
import { readLots, readPrice } from '#domain/core/readAmounts';
import type { Instrument } from '#domain/market/instrument';
import { formatExact, formatShare } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { formatNumberInput, parseNumber } from '../../../i18n/numberInput';
import { boughtSymbol } from '../../../instruments/boughtSymbol';
import { usePracticeOrders } from '../../../positions/practiceOrders';
import { AsideButton, NumberField } from '../../../ui/NumberField';
import { writeText } from '../../../ui/textCell';
import { throttledEffect } from '../../../ui/throttle';
import { UnitSelect } from '../../../ui/UnitSelect';
import { useValue } from '../../../useValue';
import { ticketPreview, user } from '../../../worker/trading';
import * as settings from '../settings';
import styles from './SizeField.module.css';
import { lotsFor, lotsOfSteps, type SizeUnit, sizeRange, sizeText, sizeUnits } from './sizeEntry';
import { RiskButton } from './TicketRisk';
import { canStepDown, stepLots } from './ticketForm';
import type { Ticket } from './useTicket';

interface SizeFieldProps {
  ticket: Ticket;
  instrument: Instrument;
  error: string | undefined;
}

/** Whether it is known how much is possible at most: not without a limit price. */
const mostKnown = computed(() => readLots(ticketPreview.value?.maxLots) !== undefined);

/** How much is ordered: in lots, units or USD, with a slider up to what the available balance allows. */
export function SizeField({ ticket, instrument, error }: SizeFieldProps) {
  const t = useT();
  const { form, set } = ticket;
  const practice = usePracticeOrders() !== undefined;
  const visitor = useValue(user) === null && !practice;
  const knowsMost = useValue(mostKnown);
  const { lots, size } = form;
  const unit = size?.unit ?? 'lots';
  const units = sizeUnits(instrument);
  const nameOf = (each: SizeUnit) =>
    each === 'lots'
      ? t('trade.ticket.lots')
      : each === 'usd'
        ? 'USD'
        : (boughtSymbol(instrument.code) ?? '');
  // The target as it is typed now: the worker still previews the former one.
  const price = () =>
    readPrice(form.type === 'pending' ? parseNumber(form.target) : ticketPreview.peek()?.price);
  const type = (text: string) => {
    if (!size) return set({ lots: text });
    const typed = { ...size, text };
    set({ size: typed, lots: lotsFor(typed, instrument, price()) });
  };
  const choose = (next: SizeUnit) => {
    if (!practice) settings.sizeUnit.value = next;
    set({ size: next === 'lots' ? undefined : { unit: next } });
  };
  const takeMost = () => {
    const most = readLots(ticketPreview.peek()?.maxLots);
    if (most) set({ lots: formatNumberInput(toText(most)) });
  };
  return (
    <NumberField
      label={size ? t('trade.ticket.sizeIn', { unit: nameOf(unit) }) : t('trade.ticket.lots')}
      text={size ? sizeText(size, lots, instrument, price()) : lots}
      onChange={type}
      onStep={(direction) => set({ lots: stepLots(lots, direction, instrument) })}
      canDecrease={canStepDown(lots, instrument)}
      error={error}
      beside={
        units.length > 1 && (
          <UnitSelect
            label={t('trade.ticket.sizeUnit')}
            value={unit}
            units={units}
            nameOf={nameOf}
            onChange={choose}
          />
        )
      }
      aside={
        !visitor && (
          <span className={styles.shares}>
            <SizeSlider
              lots={lots}
              instrument={instrument}
              onChange={(next) => set({ lots: next })}
            />
            <RiskButton ticket={ticket} />
            <AsideButton disabled={!knowsMost} onClick={takeMost}>
              {t('common.max')} <MostLots />
            </AsideButton>
          </span>
        )
      }
    />
  );
}

/** The lots between the smallest and the largest order. Its ends follow the price without a React render. */
function SizeSlider({
  lots,
  instrument,
  onChange,
}: {
  lots: string;
  instrument: Instrument;
  onChange(lots: string): void;
}) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(
    () =>
      throttledEffect(
        () => ticketPreview.value?.maxLots,
        () => {
          const slider = input.current;
          if (!slider) return;
          const range = sizeRange(lots, readLots(ticketPreview.peek()?.maxLots), instrument);
          slider.disabled = !range;
          const { least, most, now } = range ?? { least: 0, most: 1, now: 0 };
          slider.min = String(least);
          slider.max = String(most);
          slider.value = String(now);
          const share = formatShare(Math.round((100 * now) / most) / 100);
          slider.ariaValueText = t('trade.ticket.share', { share });
        },
      ),
    [lots, instrument, t],
  );
  return (
    <input
      ref={input}
      className={styles.slider}
      type="range"
      aria-label={t('trade.ticket.slider')}
      onChange={(event) => onChange(lotsOfSteps(event.target.valueAsNumber, instrument))}
    />
  );
}

/** The largest order that the available balance allows, painted without a React render. */
function MostLots() {
  const shownLanguage = useValue(language);
  const text = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () =>
      throttledEffect(
        () => ticketPreview.value?.units,
        () => {
          const most = parseDecimal(ticketPreview.peek()?.maxLots);
          writeText(text.current, most ? formatExact(most) : '');
        },
      ),
    [shownLanguage],
  );
  return <span ref={text} dir="ltr" translate="no" />;
}
