import { useState } from 'react';
import type { WithdrawCurrency } from '#domain/api/wallet';
import type { Done } from '#domain/core/result';
import { normalCoinAddress } from '#domain/wallet/coinAddress';
import { type PayoutForm, payoutProblems } from '#domain/wallet/rules';
import {
  EMPTY_PAYEE,
  MAX_LINE,
  MONEY_TYPES,
  type MoneyKind,
  type Payee,
} from '#domain/wallet/wallet';
import { useT } from '../../i18n/i18n';
import { useAccountSettings } from '../../requests/accountSettings';
import { CallButton } from '../../requests/CallButton';
import { confirmDone } from '../../requests/confirmDone';
import { reload } from '../../requests/queries';
import { useSaveAtSessionEnd, useSavedForm } from '../../requests/savedForms';
import { Form } from '../../ui/Form';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/TextField';
import { useGoBackHere } from '../../ui/useNavigateHere';
import { useOpening } from '../../ui/useOpening';
import { useInputs, useProblems } from '../../ui/useProblems';
import { api } from '../../worker/api';
import { useCall } from '../../worker/useCall';
import { PayoutSheet, type SentCode } from './PayoutSheet';
import { currencyText, payeeKey } from './walletText';

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
  const goBack = useGoBackHere();
  const call = useCall();
  const check = useProblems<keyof PayoutForm>();
  const name = `payout method ${kind}`;
  const before = useSavedForm<Filled>(name);
  const [currencyId, setCurrencyId] = useState(before?.currencyId ?? preselected);
  const { inputs: payee, field: fieldOf } = useInputs(check, before?.payee ?? EMPTY_PAYEE);
  const currency = currencies.find(({ id }) => id === currencyId) ?? onlyOf(currencies);
  const filled: Filled = { currencyId: currency?.id, payee };
  useSaveAtSessionEnd(name, filled);

  const settings = useAccountSettings();
  const [confirming, setConfirming] = useState<Payee>();
  const [open, setOpen] = useState(false);

  // The form that it is added for finds it there when it opens.
  const send = async (given: Payee, code: SentCode, key: string) => {
    const method = { ...methodParams(kind, currency?.id, given), ...code };
    const result = await api(
      'wallet.addPayoutMethod',
      { ...method, type: MONEY_TYPES[kind] },
      { key },
    );
    if (result.ok) await reload('payoutMethods');
    return result;
  };
  const { onClose: leave } = useOpening(JSON.stringify(filled), () => {
    setOpen(false);
    goBack();
  });
  const saved = (done: Done<number>) => {
    confirmDone(done, t('wallet.methods.saved'));
    leave();
  };
  const submit = async () => {
    const address = normalCoinAddress(payee.address);
    const form = { ...payee, address, kind, protocol: currency?.protocol };
    if (!check.passes(...payoutProblems(form)) || !currency) return;
    const given = { ...payee, address };
    if (settings.data?.drawVerify !== false) {
      setConfirming(given);
      setOpen(true);
      return;
    }
    const result = await call.run((key) => send(given, {}, key));
    if (result?.ok) saved(result.data);
  };

  return (
    <Form check={check} busy={call.busy} onSubmit={submit}>
      <SelectField
        name="protocol"
        label={t(kind === 'coin' ? 'wallet.currency' : 'wallet.beneficiaryCurrency')}
        placeholder={t('wallet.chooseCurrency')}
        options={currencies.map((each) => ({ value: each.id, label: currencyText(each) }))}
        value={currency?.id}
        onChange={(id) => {
          check.touched('protocol', 'address');
          setCurrencyId(id);
        }}
        error={check.errorOf('protocol')}
      />
      {FIELDS[kind].map((field) => {
        const label = t(payeeKey(field));
        return (
          <TextField
            key={field}
            {...fieldOf(field)}
            label={OPTIONAL.includes(field) ? t('wallet.optional', { label }) : label}
            maxLength={MAX_LINE}
            autoComplete={field === 'payeeName' ? 'name' : 'off'}
            exact={EXACT.includes(field)}
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
                name: t(payeeKey(field)),
                value: <bdi>{confirming[field]}</bdi>,
              })),
          ]}
          label={t('wallet.methods.save')}
          purpose="bind"
          payout={methodParams(kind, currency.id, confirming)}
          send={(code, key) => send(confirming, code, key)}
          onDone={saved}
        />
      )}
    </Form>
  );
}

/** Of a coin's method, or of a bank's. */
function methodParams(kind: MoneyKind, currencyId: number | undefined, payee: Payee) {
  const { address, remark } = payee;
  const base = { draw_id: currencyId, remark };
  if (kind === 'coin') return { ...base, dc_address: address };
  return {
    ...base,
    bank_name: payee.bankName,
    bank_address: payee.bankAddress,
    bank_swift: payee.bankSwift,
    branch_name: payee.branchName,
    payee_name: payee.payeeName,
    payee_account: payee.payeeAccount,
  };
}

function onlyOf<T>(rows: readonly T[]): T | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}
