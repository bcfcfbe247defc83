import type { Withdrawal } from '#domain/api/wallet';
import { formatAmount, formatDateTime } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { type Fact, Facts } from '../../ui/Facts';
import { Sheet } from '../../ui/Sheet';
import styles from './Wallet.module.css';
import { usdText } from './walletText';

interface WithdrawalSheetProps {
  withdrawal: Withdrawal | undefined;
  onClose(): void;
}

/** Details of a withdrawal (protocol.md#withdraw-record). */
export function WithdrawalSheet({ withdrawal, onClose }: WithdrawalSheetProps) {
  const t = useT();
  return (
    <Sheet
      open={withdrawal !== undefined}
      onClose={onClose}
      title={withdrawal ? t('wallet.withdraw.one', { id: withdrawal.id }) : ''}
    >
      {withdrawal && (
        <div className={styles.sheet}>
          <WithdrawalFacts withdrawal={withdrawal} />
        </div>
      )}
    </Sheet>
  );
}

function WithdrawalFacts({ withdrawal }: { withdrawal: Withdrawal }) {
  const t = useT();
  const { number, received, currency, fee, statusName, createdAt, notes } = withdrawal;
  const to = withdrawal.kind === 'coin' ? withdrawal.address : withdrawal.payeeAccount;
  const facts: Fact[] = [
    { name: t('wallet.status'), value: statusName },
    { name: t('wallet.withdraw.amount'), value: <bdi>{usdText(number)}</bdi> },
    { name: t('wallet.withdraw.fee'), value: <bdi>{usdText(fee)}</bdi> },
    {
      name: t('wallet.withdraw.receive'),
      value: (
        <bdi>
          {formatAmount(received, 2)} {currency}
        </bdi>
      ),
    },
    { name: t('wallet.withdraw.to'), value: <bdi>{to}</bdi> },
  ];
  if (createdAt !== undefined) {
    facts.push({ name: t('wallet.createdAt'), value: formatDateTime(createdAt) });
  }
  if (notes) facts.push({ name: t('wallet.remark'), value: notes });
  return <Facts facts={facts} />;
}
