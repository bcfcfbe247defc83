import type { Fund } from '#domain/api/mining';
import { sign } from '#domain/core/decimal';
import { formatExactRate } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Facts } from '../../ui/Facts';
import { InstrumentMark } from '../../ui/InstrumentMark';
import { moneyText, yearlyText } from './fundText';
import styles from './Mining.module.css';

/** The terms of a fund (protocol.md#fund). */
export function FundFacts({ fund }: { fund: Fund }) {
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
          { name: t('mining.term'), value: t('mining.days', { count: fund.lockDays }) },
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
