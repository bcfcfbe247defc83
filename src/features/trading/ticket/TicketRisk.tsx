import { computed } from '@preact/signals-react';
import { memo, useLayoutEffect, useRef } from 'react';
import { parseDecimal, toNumber, toText } from '#domain/core/decimal';
import { readLots } from '#domain/core/readAmounts';
import { RISK_PERCENT } from '#domain/trading/tradeRisk';
import type { TicketPreview } from '#domain/worker/trading';
import { formatAmount, formatPercent, formatShare } from '../../../i18n/format';
import { language, t, useT } from '../../../i18n/i18n';
import { formatNumberInput } from '../../../i18n/numberInput';
import { inUnit } from '../../../positions/exitEntry';
import { AsideButton } from '../../../ui/NumberField';
import { writeText } from '../../../ui/textCell';
import { throttledEffect } from '../../../ui/throttle';
import { useValue } from '../../../useValue';
import { ticketPreview } from '../../../worker/trading';
import styles from './Ticket.module.css';
import type { Ticket } from './useTicket';

/** What the stop-loss risks, and the reward for it (domain.md#risk), painted without a React render. */
export const TicketRisk = memo(function TicketRisk() {
  const shownLanguage = useValue(language);
  const line = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () =>
      throttledEffect(
        () => ticketPreview.value?.units,
        () => writeText(line.current, riskText(ticketPreview.peek())),
      ),
    [shownLanguage],
  );
  return <p ref={line} className={styles.risk} translate="yes" />;
});

function riskText(preview: TicketPreview | undefined): string {
  const risk = parseDecimal(preview?.risk);
  if (!risk) return '';
  const percent = parseDecimal(preview?.riskPercent);
  const ratio = parseDecimal(preview?.rewardToRisk);
  return [
    t('trade.risk.amount', { amount: formatAmount(risk, 2) }),
    percent && t('trade.risk.share', { share: shareText(toNumber(percent)) }),
    ratio && t('trade.risk.reward', { ratio: formatAmount(ratio, 2) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Less than the two decimals can show is no 0; isolated because the line may run right to left. */
function shareText(percent: number): string {
  return percent > 0 ? formatPercent(percent / 100) : `\u2066<${formatPercent(0.0001)}\u2069`;
}

/** Changes only where the button appears or disappears, not on each tick. */
const riskOffered = computed(() => ticketPreview.value?.lotsAtRisk !== undefined);

/**
 * Fills in the lots that risk 1 % of the equity at the stop-loss (domain.md#risk), where these can
 * be ordered. The stop then stays at its price: as an amount it would move away from it.
 */
export function RiskButton({ ticket: { form, set, position } }: { ticket: Ticket }) {
  const t = useT();
  if (!useValue(riskOffered)) return null;
  const share = formatShare(toNumber(RISK_PERCENT) / 100);
  const take = () => {
    const lots = readLots(ticketPreview.peek()?.lotsAtRisk);
    if (!lots) return;
    const { stopLoss } = form;
    set({
      lots: formatNumberInput(toText(lots)),
      stopLoss:
        stopLoss.unit === 'price' || stopLoss.trailing
          ? stopLoss
          : inUnit(stopLoss, 'stopLoss', 'price', position),
    });
  };
  return (
    <AsideButton aria-label={t('trade.risk.ofEquity', { share })} onClick={take}>
      {t('trade.risk.button', { share })}
    </AsideButton>
  );
}
