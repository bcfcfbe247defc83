import { toText } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import type { PayoutMethod, WithdrawCurrency } from '#domain/wallet/wallet';
import { previewWithdrawal } from '#domain/wallet/withdraw';
import { gateway } from '../../gateway/client';
import { useCall } from '../../gateway/useCall';
import { formatAmount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { invalidate } from '../../requests/queries';
import { Button } from '../../ui/Button';
import { Facts } from '../../ui/Facts';
import { Sheet } from '../../ui/Sheet';
import styles from './Wallet.module.css';
import { currencyText, usdText } from './walletText';

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
 * Confirms a withdrawal and names amount and destination, because a payout can't be undone (D65).
 */
export function ConfirmWithdrawal(props: ConfirmWithdrawalProps) {
  const { open, onClose, currency, method, amount, remark, onDone } = props;
  const t = useT();
  const call = useCall();
  const preview = previewWithdrawal(currency, amount);
  const confirm = async () => {
    const withdrawal = {
      currencyId: currency.id,
      methodId: method.id,
      amount: toText(amount),
      remark: remark.trim(),
    };
    const result = await call.run((key) => gateway.submitWithdrawal(withdrawal, key));
    if (!result?.ok) return;
    void invalidate('withdrawals', 'records');
    onDone();
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('wallet.withdraw.confirmTitle')}
      foot={
        <Button variant="primary" wide busy={call.busy} onClick={() => void confirm()}>
          {call.lost
            ? t('wallet.checking')
            : call.busy
              ? t('wallet.sending')
              : t('wallet.withdraw.confirm', { amount: usdText(amount) })}
        </Button>
      }
    >
      <div className={styles.sheet}>
        <p>{t('wallet.withdraw.ask')}</p>
        {preview && (
          <Facts
            facts={[
              { name: t('wallet.withdraw.amount'), value: <bdi>{usdText(amount)}</bdi> },
              { name: t('wallet.withdraw.fee'), value: <bdi>{usdText(preview.fee)}</bdi> },
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
                      : `${method.payeeName}, ${method.bankName}, ${method.payeeAccount}`}
                  </bdi>
                ),
              },
            ]}
          />
        )}
      </div>
    </Sheet>
  );
}
