import { effect } from '@preact/signals-core';
import { useLayoutEffect, useRef } from 'react';
import { parseDecimal } from '#domain/core/decimal';
import type { AccountFigures } from '#domain/gateway/trading';
import { account } from '../gateway/trading';
import { formatAmount } from '../i18n/format';
import { language, useT } from '../i18n/i18n';
import { useValue } from '../signals';
import { writeText } from '../ui/textCell';
import styles from './AccountFiguresList.module.css';

const amount = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatAmount(value, 2) : '–';
};
/** A ratio, `--` with no margin in use (domain.md#account-figures). */
const ratio = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? `${formatAmount(value, 2)} %` : '--';
};

const FIGURES = {
  netValue: amount,
  balance: amount,
  freeBalance: amount,
  marginInUse: amount,
  riskRate: ratio,
  prepaymentRatio: ratio,
} satisfies Partial<Record<keyof AccountFigures, (text: string | undefined) => string>>;
const NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[];

/**
 * The live figures of the account in USD, painted without a React render
 * (domain.md#account-figures).
 */
export function AccountFiguresList() {
  const t = useT();
  const shownLanguage = useValue(language);
  const cells = useRef<Partial<Record<keyof typeof FIGURES, HTMLElement | null>>>({});

  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () =>
      effect(() => {
        const figures = account.value;
        for (const name of NAMES) {
          const text = figures ? FIGURES[name](figures[name]) : '–';
          writeText(cells.current[name] ?? null, text);
        }
      }),
    [shownLanguage],
  );

  return (
    <dl className={styles.figures}>
      {NAMES.map((name) => (
        <div key={name}>
          <dt>{t(`account.${name}`)}</dt>
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
