import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Fund } from '#domain/api/mining';
import { minimum, sign, toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import type { Usd } from '#domain/core/units';
import { dailyProfit, totalProfit } from '#domain/mining/mining';
import { subscribeProblem } from '#domain/mining/rules';
import { largestWithdrawal } from '#domain/wallet/withdraw';
import { ruleText } from '../../i18n/failure';
import { formatAmount, formatExactRate, UNKNOWN } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { formatNumberInput } from '../../i18n/numberInput';
import { parseAmount } from '../../i18n/parseAmount';
import { saveForm, useSaveAtSessionEnd, useSavedForm } from '../../requests/savedForms';
import { Button } from '../../ui/Button';
import { Facts } from '../../ui/Facts';
import { Form } from '../../ui/Form';
import { InstrumentMark } from '../../ui/InstrumentMark';
import { Ltr } from '../../ui/Ltr';
import { AsideButton, NumberField } from '../../ui/NumberField';
import { useNavigateHere } from '../../ui/useNavigateHere';
import { useOpening } from '../../ui/useOpening';
import { useAccountAmount } from '../../worker/accountAmount';
import { user } from '../../worker/trading';
import { ConfirmSubscription } from './ConfirmSubscription';
import { moneyText, profitText, yearlyText } from './fundText';
import styles from './Mining.module.css';

/** The amount to subscribe, with a preview of its profit. */
export function SubscribeForm({ fund }: { fund: Fund }) {
  const t = useT();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const field = useRef<HTMLDivElement>(null);
  const name = `subscription ${fund.id}`;
  const saved = useSavedForm<{ amount: string }>(name, ['amount']);
  const [text, setText] = useState(saved?.amount ?? '');
  useSaveAtSessionEnd(name, { amount: text });
  const navigateHere = useNavigateHere();
  const { onClose: leave } = useOpening(text, () =>
    navigateHere('/mining/record', { replace: true }),
  );
  const [attempted, setAttempted] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const free = useAccountAmount('available');
  const { value: amount, problem: typing } = parseAmount(text, readUsd);
  const problem = typing ?? subscribeProblem(amount, fund, free);
  const daily =
    amount && sign(amount) > 0 ? dailyProfit(fund.dividendPercentage, amount) : undefined;

  const attempt = () => {
    setAttempted(true);
    if (problem) field.current?.querySelector('input')?.focus();
    else if (user.peek()) setConfirming(true);
    else {
      saveForm(name, { amount: text });
      void navigate(`/login?from=${encodeURIComponent(pathname + search)}`);
    }
  };
  const most = free && largestFor(fund, free);

  return (
    <Form className={styles.form} onSubmit={attempt}>
      <FundFacts fund={fund} />
      <div ref={field}>
        <NumberField
          label={t('mining.subscribe.amount')}
          text={text}
          onChange={setText}
          suffix={fund.currency}
          error={problem && (attempted || text !== '') ? ruleText(problem) : undefined}
          aside={
            most && (
              <AsideButton onClick={() => setText(formatNumberInput(toText(most)))}>
                {t('common.max')} <Ltr>{formatAmount(most, 2)}</Ltr>
              </AsideButton>
            )
          }
        />
      </div>
      <Facts
        facts={[
          {
            name: t('mining.dailyProfit'),
            value: <Ltr>{daily ? profitText(daily, fund.currency) : UNKNOWN}</Ltr>,
          },
          {
            name: t('mining.totalProfit'),
            value: (
              <Ltr>
                {daily ? profitText(totalProfit(fund.lockDays, daily), fund.currency) : UNKNOWN}
              </Ltr>
            ),
          },
        ]}
      />
      <div className={styles.foot}>
        <Button type="submit" variant="primary" wide>
          {t('mining.subscribe.button')}
        </Button>
      </div>
      {amount && daily && (
        <ConfirmSubscription
          open={confirming}
          onClose={() => setConfirming(false)}
          fund={fund}
          amount={amount}
          onDone={leave}
        />
      )}
    </Form>
  );
}

/** The largest amount that balance and fund allow. */
function largestFor(fund: Fund, free: Usd): Usd {
  const all = largestWithdrawal(free);
  return sign(fund.maxAmount) > 0 ? minimum(all, fund.maxAmount) : all;
}

/** The terms of a fund (protocol.md#fund). */
function FundFacts({ fund }: { fund: Fund }) {
  const t = useT();
  const { currency, minAmount, maxAmount } = fund;
  return (
    <section className={styles.fund}>
      <header className={styles.title}>
        <InstrumentMark name={fund.title} logo={fund.image} />
        <h2>{fund.title}</h2>
      </header>
      <p className={styles.rate}>
        <b dir="ltr" translate="no">
          {formatExactRate(fund.dividendPercentage)}
        </b>{' '}
        <span>{t('mining.aDay')}</span>
        {' · '}
        <span dir="ltr" translate="no">
          {yearlyText(fund)}
        </span>{' '}
        <span>{t('mining.aYear')}</span>
      </p>
      {fund.desc && (
        <p className={styles.desc}>
          <bdi>{fund.desc}</bdi>
        </p>
      )}
      <Facts
        facts={[
          { name: t('mining.term'), value: t('common.days', { count: fund.lockDays }) },
          { name: t('mining.minimum'), value: <bdi>{moneyText(minAmount, currency)}</bdi> },
          {
            name: t('mining.maximum'),
            value:
              sign(maxAmount) > 0 ? (
                <bdi>{moneyText(maxAmount, currency)}</bdi>
              ) : (
                t('mining.noMaximum')
              ),
          },
          {
            name: t('mining.penaltyRate'),
            value: t('mining.ofAmount', { percent: formatExactRate(fund.liquidatedDamages) }),
          },
        ]}
      />
    </section>
  );
}
