import { useState } from 'react';
import { toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { lineProblem } from '#domain/core/rule';
import { hoursUntilUsable, withdrawProblems } from '#domain/wallet/rules';
import type { MoneyKind } from '#domain/wallet/wallet';
import { largestWithdrawal } from '#domain/wallet/withdraw';
import { formatAmount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { formatNumberInput } from '../../i18n/numberInput';
import { parseAmount } from '../../i18n/parseAmount';
import { FailedRequest } from '../../requests/FailedRequest';
import { saveForm, useSaveAtSessionEnd, useSavedForm } from '../../requests/savedForms';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { ConfirmSheet } from '../../ui/ConfirmSheet';
import { Form, paddedFormClass } from '../../ui/Form';
import { Ltr } from '../../ui/Ltr';
import { AsideButton, NumberField } from '../../ui/NumberField';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/TextField';
import { useOpening } from '../../ui/useOpening';
import { useProblems } from '../../ui/useProblems';
import { useAccountAmount } from '../../worker/accountAmount';
import { serverNow } from '../../worker/marketNow';
import { ConfirmWithdrawal } from './ConfirmWithdrawal';
import { MethodField } from './MethodField';
import { addMethodPath } from './payoutMethodPath';
import { usePayout } from './usePayout';
import { WithdrawFigures } from './WithdrawFigures';
import { currencyText } from './walletText';

interface Filled {
  currencyId: number | undefined;
  methodId: number | undefined;
  amount: string;
  remark: string;
}

type Field = 'currency' | 'method' | 'amount' | 'remark';

interface WithdrawFormProps {
  kind: MoneyKind;
  /** Nothing is requested until it is true. */
  shown: boolean;
}

/** Destination, amount and what arrives (domain.md#withdrawal-form). */
export function WithdrawForm({ kind, shown }: WithdrawFormProps) {
  const t = useT();
  const name = `withdrawal ${kind}`;
  const saved = useSavedForm<Filled>(name, ['amount']);
  const payout = usePayout(kind, shown, saved);
  const [text, setText] = useState(saved?.amount ?? '');
  const [remark, setRemark] = useState(saved?.remark ?? '');
  const [confirming, setConfirming] = useState(false);
  const [notBound, setNotBound] = useState(false);
  const check = useProblems<Field>();
  const free = useAccountAmount('available');
  const { currencies, currency, methods, method } = payout;
  const typed = parseAmount(text, readUsd);
  const amount = typed.value;
  const filled: Filled = { currencyId: currency?.id, methodId: method?.id, amount: text, remark };
  useSaveAtSessionEnd(name, filled);
  const { onClose: clear } = useOpening(JSON.stringify(filled), () => {
    setText('');
    setRemark('');
    setConfirming(false);
  });
  // The screen that adds a payout method leads back to this form.
  const onAdd = () => saveForm(name, filled);

  const submit = () => {
    const wrong = withdrawProblems(
      { currency, method: method?.id, amount },
      {
        available: free,
        methods: methods?.length,
        waitHours: method ? hoursUntilUsable(method, serverNow()) : 0,
      },
    );
    const typing = typed.problem && { field: 'amount' as const, message: typed.problem };
    const passes = check.passes(typing, ...wrong, lineProblem('remark', remark));
    // A missing payout method comes before all other problems; its message stays when the question is dismissed
    // (domain.md#withdrawal-form).
    if (currency && methods?.length === 0) setNotBound(true);
    else if (passes) setConfirming(true);
  };

  if (currencies.failure && !currencies.data) {
    return <FailedRequest failure={currencies.failure} onRetry={currencies.refetch} />;
  }
  // Until then nobody knows whether one is missing.
  const isLoading = currency !== undefined && !payout.saved.data && !payout.saved.failure;
  const most = free && largestWithdrawal(free);
  return (
    <Form check={check} className={paddedFormClass} onSubmit={submit}>
      <SelectField
        name="currency"
        label={t(kind === 'coin' ? 'wallet.currency' : 'wallet.beneficiaryCurrency')}
        placeholder={t('wallet.chooseCurrency')}
        options={(currencies.data ?? []).map((each) => ({
          value: each.id,
          label: currencyText(each),
        }))}
        value={currency?.id}
        onChange={(id) => {
          check.touched('currency', 'method', 'amount');
          payout.chooseCurrency(id);
        }}
        disabled={!currencies.data}
        error={check.errorOf('currency')}
      />
      <MethodField
        kind={kind}
        payout={payout}
        onNone={() => setNotBound(true)}
        onAdd={onAdd}
        onTouched={() => check.touched('method')}
        error={check.errorOf('method')}
      />
      <NumberField
        name="amount"
        label={t('common.amount')}
        text={text}
        onChange={(next) => {
          check.touched('amount');
          setText(next);
        }}
        suffix="USD"
        error={check.errorOf('amount')}
        aside={
          most && (
            <AsideButton
              onClick={() => {
                check.touched('amount');
                setText(formatNumberInput(toText(most)));
              }}
            >
              {t('common.max')} <Ltr>{formatAmount(most, 2)}</Ltr>
            </AsideButton>
          )
        }
      />
      <TextField
        name="remark"
        label={t('wallet.remarkOptional')}
        value={remark}
        onChange={(next) => {
          check.touched('remark');
          setRemark(next);
        }}
        error={check.errorOf('remark')}
        maxLength={200}
        autoComplete="off"
      />
      <WithdrawFigures currency={currency} amount={amount} />
      <Button type="submit" variant="primary" wide busy={isLoading}>
        {t('wallet.withdraw.submit')}
      </Button>
      <NoPayoutMethod
        kind={kind}
        currencyId={currency?.id}
        open={notBound}
        onClose={() => setNotBound(false)}
        onAdd={onAdd}
      />
      {currency && method && amount && (
        <ConfirmWithdrawal
          open={confirming}
          onClose={() => setConfirming(false)}
          currency={currency}
          method={method}
          amount={amount}
          remark={remark}
          onDone={clear}
        />
      )}
    </Form>
  );
}

interface NoPayoutMethodProps {
  kind: MoneyKind;
  currencyId: number | undefined;
  open: boolean;
  onClose(): void;
  /** Called when the screen that adds a method is opened. */
  onAdd(): void;
}

/**
 * Says that there is no saved address or account yet and links to the screen that adds one
 * (domain.md#withdrawal-form).
 */
function NoPayoutMethod({ kind, currencyId, open, onClose, onAdd }: NoPayoutMethodProps) {
  const t = useT();
  return (
    <ConfirmSheet
      open={open}
      onClose={onClose}
      title={t('wallet.withdraw.notBound')}
      text={t(`wallet.withdraw.notBoundHint.${kind}`)}
      button={
        <ButtonLink
          to={addMethodPath(kind, currencyId)}
          onClick={() => {
            onAdd();
            onClose();
          }}
        >
          {t('wallet.withdraw.add')}
        </ButtonLink>
      }
    />
  );
}
