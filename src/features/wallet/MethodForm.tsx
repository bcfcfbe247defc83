import { type FormEvent, useState } from 'react';
import type { Done } from '#domain/core/result';
import type { PayoutInput } from '#domain/gateway/wallet';
import { normalCoinAddress } from '#domain/wallet/coinAddress';
import { MAX_LINE, type PayoutForm, payoutProblems } from '#domain/wallet/rules';
import type { MoneyKind, Payee, WithdrawCurrency } from '#domain/wallet/wallet';
import { gateway } from '../../gateway/client';
import { useCall } from '../../gateway/useCall';
import { useT } from '../../i18n/i18n';
import { useAccountSettings } from '../../requests/accountSettings';
import { CallButton } from '../../requests/CallButton';
import { confirmDone } from '../../requests/confirmDone';
import { reload } from '../../requests/queries';
import { useSaveAtSessionEnd, useSavedForm } from '../../requests/savedForms';
import { useGoBack } from '../../ui/ScreenHeader';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/TextField';
import { useProblems } from '../../ui/useProblems';
import styles from './MethodForm.module.css';
import { PayoutSheet } from './PayoutSheet';
import { currencyText } from './walletText';

const EMPTY: Payee = {
  address: '',
  bankName: '',
  bankAddress: '',
  bankSwift: '',
  branchName: '',
  payeeName: '',
  payeeAccount: '',
  remark: '',
};

/** The fields of each kind in the usual order of bank forms. */
const FIELDS: Readonly<Record<MoneyKind, readonly (keyof Payee)[]>> = {
  coin: ['address', 'remark'],
  bank: [
    'payeeName',
    'payeeAccount',
    'bankName',
    'branchName',
    'bankAddress',
    'bankSwift',
    'remark',
  ],
};
const OPTIONAL: readonly (keyof Payee)[] = ['branchName', 'remark'];
/** Codes and numbers: no autocorrection or capitalisation. */
const EXACT: readonly (keyof Payee)[] = ['address', 'payeeAccount', 'bankSwift'];

interface Filled {
  currencyId: number | undefined;
  payee: Payee;
}

interface MethodFormProps {
  kind: MoneyKind;
  currencies: readonly WithdrawCurrency[];
  /** Id of the preselected currency. */
  preselected: number | undefined;
}

/** Adds an address or account. An address must have the format of its network. */
export function MethodForm({ kind, currencies, preselected }: MethodFormProps) {
  const t = useT();
  const goBack = useGoBack();
  const call = useCall();
  const check = useProblems<keyof PayoutForm>();
  const name = `payout method ${kind}`;
  const before = useSavedForm<Filled>(name);
  const [currencyId, setCurrencyId] = useState(before?.currencyId ?? preselected);
  const [payee, setPayee] = useState(before?.payee ?? EMPTY);
  const currency = currencies.find(({ id }) => id === currencyId) ?? onlyOf(currencies);
  const filled: Filled = { currencyId: currency?.id, payee };
  useSaveAtSessionEnd(name, filled);

  const settings = useAccountSettings();
  const [confirming, setConfirming] = useState<Omit<PayoutInput, 'code'>>();
  const [open, setOpen] = useState(false);

  // The form that it is added for finds it there when it opens.
  const send = async (method: PayoutInput, key: string) => {
    const result = await gateway.bindPayoutMethod(method, key);
    if (result.ok) await reload('payoutMethods');
    return result;
  };
  const saved = (done: Done<number>) => {
    setOpen(false);
    confirmDone(done, t('wallet.methods.saved'));
    goBack();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (call.busy) return;
    const address = normalCoinAddress(payee.address);
    const form = { ...payee, address, kind, protocol: currency?.protocol };
    if (!check.passes(...payoutProblems(form)) || !currency) return;
    const method = { ...payee, address, kind, currencyId: currency.id };
    if (settings.data?.drawVerify !== false) {
      setConfirming(method);
      setOpen(true);
      return;
    }
    const result = await call.run((key) => send({ ...method, code: '' }, key));
    if (result?.ok) saved(result.data);
  };

  return (
    <form
      ref={check.form}
      className={styles.form}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <SelectField
        name="protocol"
        label={t(kind === 'coin' ? 'wallet.currency' : 'wallet.beneficiaryCurrency')}
        placeholder={t('wallet.chooseCurrency')}
        options={currencies.map((each) => ({ value: each.id, label: currencyText(each) }))}
        value={currency?.id}
        onChange={(id) => {
          check.touched('protocol');
          setCurrencyId(id);
        }}
        error={check.errorOf('protocol')}
      />
      {FIELDS[kind].map((field) => {
        const label = t(`wallet.bank.${field}`);
        return (
          <TextField
            key={field}
            name={field}
            label={OPTIONAL.includes(field) ? t('wallet.optional', { label }) : label}
            value={payee[field]}
            maxLength={MAX_LINE}
            onChange={(text) => {
              check.touched(field);
              setPayee((now) => ({ ...now, [field]: text }));
            }}
            error={check.errorOf(field)}
            autoComplete={field === 'payeeName' ? 'name' : 'off'}
            {...(EXACT.includes(field) && {
              dir: 'ltr',
              autoCapitalize: 'off',
              autoCorrect: 'off',
              spellCheck: false,
            })}
          />
        );
      })}
      <CallButton
        call={call}
        label={t('wallet.methods.save')}
        type="submit"
        variant="primary"
        wide
      />
      {confirming && currency && (
        <PayoutSheet
          open={open}
          onClose={() => setOpen(false)}
          title={t(`wallet.methods.${kind}.confirm`)}
          ask={t('wallet.methods.ask')}
          facts={[
            { name: t('wallet.currency'), value: <bdi>{currencyText(currency)}</bdi> },
            ...FIELDS[kind]
              .filter((field) => confirming[field] !== '')
              .map((field) => ({
                name: t(`wallet.bank.${field}`),
                value: <bdi>{confirming[field]}</bdi>,
              })),
          ]}
          label={t('wallet.methods.save')}
          payout={{ method: confirming }}
          send={(code, key) => send({ ...confirming, code }, key)}
          onDone={saved}
        />
      )}
    </form>
  );
}

function onlyOf<T>(rows: readonly T[]): T | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}
