import type { Usd } from '#domain/core/units';
import { formatAmount } from '../../../i18n/format';

/** An amount in cents, with its unit. */
export function moneyText(amount: Usd, sign: 'auto' | 'always' = 'auto') {
  return (
    <bdi dir="ltr" translate="no">
      {formatAmount(amount, 2, sign)} USD
    </bdi>
  );
}
