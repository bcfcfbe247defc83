import type { PayoutMethod, WithdrawCurrency } from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { previewWithdrawal } from '#domain/wallet/withdraw';
import { formatAmount, formatUsd } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { invalidateChanged } from '../../requests/queries';
import { api } from '../../worker/api';
import { PayoutSheet } from './PayoutSheet';
import { currencyText } from './walletText';

interface ConfirmWithdrawalProps {
  open: boolean;
  onClose(): void;
  currency: WithdrawCurrency;
  method: PayoutMethod;
  amount: Usd;
  remark: string;
  onDone(): void;
}

/**
 * Confirms a withdrawal and names amount and destination, because a payout can't be undone.
 */
export function ConfirmWithdrawal(props: ConfirmWithdrawalProps) {
  const { open, onClose, currency, method, amount, remark } = props;
  const t = useT();
  const preview = previewWithdrawal(currency, amount);
  const withdrawal = {
    draw_currency_id: currency.id,
    number: toText(amount),
    memo: remark.trim(),
    draw_method_id: method.id,
  };
  const facts = preview && [
    { name: t('common.amount'), value: <bdi>{formatUsd(amount)}</bdi> },
    { name: t('wallet.withdraw.fee'), value: <bdi>{formatUsd(preview.fee)}</bdi> },
    {
      name: t('wallet.withdraw.receive'),
      value: <bdi>{`${formatAmount(preview.received, 2)} ${currency.code}`}</bdi>,
    },
    { name: t('wallet.currency'), value: <bdi>{currencyText(currency)}</bdi> },
    {
      name: t('wallet.withdraw.to'),
      value: (
        <bdi>
          {method.kind === 'coin'
            ? method.address
            : `${method.payeeName} · ${method.bankName} · ${method.payeeAccount}`}
        </bdi>
      ),
    },
  ];
  return (
    <PayoutSheet
      open={open}
      onClose={onClose}
      title={t('wallet.withdraw.confirmTitle')}
      ask={t('wallet.withdraw.ask')}
      facts={facts ?? []}
      label={t('wallet.withdraw.confirm', { amount: formatUsd(amount) })}
      purpose="draw"
      payout={withdrawal}
      send={(code, key) => api('wallet.submitWithdrawal', { ...withdrawal, ...code }, { key })}
      onDone={() => {
        void invalidateChanged('withdrawal');
        props.onDone();
      }}
    />
  );
}
