import { useLayoutEffect, useRef } from 'react';
import { formatPrice, UNKNOWN } from '../i18n/format';
import { language } from '../i18n/i18n';
import { writeText } from '../ui/textCell';
import { throttledEffect } from '../ui/throttle';
import { useValue } from '../useValue';
import { account } from '../worker/trading';
import { accountRisk } from './accountRisk';
import styles from './LiquidationPrice.module.css';

interface LiquidationPriceProps {
  instrumentId: number;
  precision: number;
}

/**
 * The price of an instrument at which the account is stopped out (domain.md#stop-out-price), live. Its colour is that of
 * the margin warning.
 */
export function LiquidationPrice({ instrumentId, precision }: LiquidationPriceProps) {
  const shownLanguage = useValue(language);
  const cell = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () =>
      throttledEffect(
        () => account.value !== null,
        () => {
          const price = account.peek()?.stopOutPrices[instrumentId];
          writeText(cell.current, price ? formatPrice(Number(price), precision) : UNKNOWN);
        },
      ),
    [shownLanguage, instrumentId, precision],
  );
  return <span ref={cell} className={styles.price} data-risk={useValue(accountRisk)} dir="ltr" />;
}
