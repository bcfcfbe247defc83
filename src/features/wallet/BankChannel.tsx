import { ruleText } from '../../i18n/failure';
import { useT } from '../../i18n/i18n';
import { FailedRequest } from '../../requests/FailedRequest';
import { CopyField } from '../../ui/CopyField';
import { RowSkeleton } from '../../ui/RowSkeleton';
import { SelectField } from '../../ui/SelectField';
import type { ChannelProps } from './useChannel';
import styles from './Wallet.module.css';

const LINES = [
  'bankName',
  'bankAddress',
  'bankSwift',
  'payeeName',
  'payeeAccount',
  'remark',
] as const;

/** Chooses the currency and shows the bank account to wire money to. */
export function BankChannel({ channel, onTouched, error }: ChannelProps) {
  const t = useT();
  const { currencies, currency, accounts, account } = channel;
  const failed = [currencies, accounts].find(({ data, failure }) => failure && !data);
  if (failed?.failure) return <FailedRequest failure={failed.failure} onRetry={failed.refetch} />;
  const none = accounts.data?.length === 0 || currencies.data?.length === 0;
  const several = (accounts.data?.length ?? 0) > 1;
  return (
    <>
      <SelectField
        name={several ? 'currency' : 'channel'}
        label={t('wallet.currency')}
        placeholder={t('wallet.chooseCurrency')}
        options={(currencies.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={currency?.id}
        onChange={(id) => {
          onTouched();
          channel.chooseCurrency(id);
        }}
        disabled={!currencies.data}
        error={none ? ruleText({ key: 'noPayChannel' }) : several ? undefined : error}
      />
      {several && (
        <SelectField
          name="channel"
          label={t('wallet.withdraw.method.bank')}
          placeholder={t('wallet.charge.chooseAccount')}
          options={(accounts.data ?? []).map(({ id, bankName }) => ({
            value: id,
            label: bankName,
          }))}
          value={account?.id}
          onChange={(id) => {
            onTouched();
            channel.choose(id);
          }}
          error={error}
        />
      )}
      {!account && !none && <RowSkeleton />}
      {account && (
        <div className={styles.account}>
          {LINES.filter((line) => account[line] !== '').map((line) => (
            <CopyField key={line} label={t(`wallet.bank.${line}`)} text={account[line]} />
          ))}
        </div>
      )}
    </>
  );
}
