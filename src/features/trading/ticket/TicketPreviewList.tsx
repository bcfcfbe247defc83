import { effect } from '@preact/signals-core';
import { useLayoutEffect, useRef } from 'react';
import { parseDecimal } from '#domain/core/decimal';
import type { TicketPreview } from '#domain/gateway/trading';
import { ticketPreview } from '../../../gateway/trading';
import { formatAmount, formatExact } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { useValue } from '../../../signals';
import { writeText } from '../../../ui/textCell';
import styles from './Ticket.module.css';

const UNKNOWN = '–';
const usd = (text: string | undefined) => {
  const amount = parseDecimal(text);
  return amount ? `${formatAmount(amount, 2)} USD` : UNKNOWN;
};
const exact = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatExact(value) : UNKNOWN;
};

const FIGURES = {
  price: exact,
  margin: usd,
  fee: usd,
  pointValue: (text) => {
    const value = parseDecimal(text);
    return value ? `${formatExact(value)} USD` : UNKNOWN;
  },
  freeBalanceAfter: usd,
  stopOutPrice: exact,
} satisfies Partial<Record<keyof TicketPreview, (text: string | undefined) => string>>;
const NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[];

/** The preview of the order, updated on every tick without a React render. */
export function TicketPreviewList() {
  const t = useT();
  const shownLanguage = useValue(language);
  const cells = useRef<Partial<Record<keyof typeof FIGURES, HTMLElement | null>>>({});

  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () =>
      effect(() => {
        const preview = ticketPreview.value;
        for (const name of NAMES)
          writeText(cells.current[name] ?? null, FIGURES[name](preview?.[name]));
      }),
    [shownLanguage],
  );

  return (
    <dl className={styles.preview}>
      {NAMES.map((name) => (
        <div key={name}>
          <dt>{t(`trade.preview.${name}`)}</dt>
          <dd
            ref={(element) => {
              cells.current[name] = element;
            }}
          />
        </div>
      ))}
    </dl>
  );
}
