import type { Fund } from '#domain/fund';
import { formatAmount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { InstrumentMark } from '../../ui/InstrumentMark';
import { Row } from '../../ui/Row';
import { percentText } from './fundText';

/** A fund by what decides: its rate, its term, its least amount. */
export function FundRow({ fund }: { fund: Fund }) {
  const t = useT();
  const least = `${formatAmount(fund.minAmount, 0)} ${fund.currency}`;
  return (
    <Row
      to={`/mining/subscribe?id=${fund.id}`}
      lead={<InstrumentMark name={fund.title} logo={fund.image} />}
      title={fund.title}
      detail={
        <>
          {t('mining.days', { count: fund.lockDays })} · {t('mining.from', { amount: least })}
        </>
      }
      figure={<bdi dir="ltr">{percentText(fund.dividendPercentage)}</bdi>}
      note={t('mining.aDay')}
    />
  );
}
