import type { WithdrawCurrency } from '#domain/api/wallet';
import { sign } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { largestWithdrawal, previewWithdrawal } from '#domain/wallet/withdraw';
import { formatAmount, formatUsd, UNKNOWN } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Facts } from '../../ui/Facts';
import { useAccountAmount } from '../../worker/accountAmount';

interface WithdrawFiguresProps {
  currency: WithdrawCurrency | undefined;
  amount: Usd | undefined;
}

/**
 * What is available and the live preview of fee and payout (domain.md#withdrawal-fee): `--` without a
 * currency, 0 for an empty amount.
 */
export function WithdrawFigures({ currency, amount }: WithdrawFiguresProps) {
  const t = useT();
  const available = useAccountAmount('available');
  const preview = previewWithdrawal(currency, amount);
  const nothing = !amount || sign(amount) <= 0;
  const fee = preview && (nothing ? '0' : formatAmount(preview.fee, 2));
  const received = preview && (nothing ? '0' : formatAmount(preview.received, 2));
  return (
    <Facts
      facts={[
        {
          name: t('account.available'),
          // Not a cent more than can be withdrawn, as rounding would show.
          value: <bdi>{available ? formatUsd(largestWithdrawal(available)) : UNKNOWN}</bdi>,
        },
        {
          name: t('wallet.withdraw.fee'),
          value: <output>{fee === undefined ? UNKNOWN : <bdi>{`${fee} USD`}</bdi>}</output>,
        },
        {
          name: t('wallet.withdraw.receive'),
          value: (
            <output>
              {received === undefined ? (
                UNKNOWN
              ) : (
                <bdi>{`${received} ${currency?.code ?? ''}`}</bdi>
              )}
            </output>
          ),
        },
      ]}
    />
  );
}
