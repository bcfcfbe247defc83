import { PERIODS, type Period } from '#domain/market/kline';
import { useT } from '../../../i18n/i18n';
import { Segmented } from '../../../ui/Segmented';

/** The choice of the period: 1M, 5M, 15M, 30M, 1H, 1D (domain.md#periods). */
export function PeriodBar({
  period,
  onChange,
}: {
  period: Period;
  onChange(period: Period): void;
}) {
  const t = useT();
  return (
    <Segmented
      label={t('trade.periods')}
      options={PERIODS.map((value) => ({ value, label: t(`trade.period.${value}`) }))}
      value={period}
      onChange={onChange}
    />
  );
}
