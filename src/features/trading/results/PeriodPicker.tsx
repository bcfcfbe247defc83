import { useT } from '../../../i18n/i18n';
import { Chips } from '../../../ui/Chips';
import { DateField } from '../../../ui/DateField';
import styles from './PeriodPicker.module.css';
import {
  ALL_TIME,
  DEFAULT_PERIOD,
  datesName,
  datesOf,
  isPeriodChip,
  PERIODS,
  periodOf,
} from './period';

interface PeriodPickerProps {
  /** The name of the period (`periodOf`). */
  value: string;
  onChange(name: string): void;
}

/** Chips of periods; the last one has two dates. */
export function PeriodPicker({ value, onChange }: PeriodPickerProps) {
  const t = useT();
  const chip = isPeriodChip(value) ? value : 'dates';
  const [first = '', last = ''] = chip === 'dates' ? value.split('..') : [];
  const choose = (name: string) => {
    if (name !== 'dates') onChange(name);
    else {
      // All time has no first day: the dates begin as the usual period.
      const period = periodOf(chip === ALL_TIME ? DEFAULT_PERIOD : value);
      if (period) onChange(datesName(...datesOf(period)));
    }
  };
  const days = (count: number) => t('common.days', { count });
  const labels: Record<(typeof PERIODS)[number], string> = {
    '7d': days(7),
    '30d': days(30),
    '90d': days(90),
    year: t('results.periods.year'),
    [ALL_TIME]: t('results.periods.all'),
  };
  return (
    <div className={styles.picker}>
      <Chips
        label={t('results.period')}
        options={[
          ...PERIODS.map((period) => ({ value: period as string, label: labels[period] })),
          { value: 'dates', label: t('results.periods.dates') },
        ]}
        value={chip}
        onChange={choose}
      />
      {chip === 'dates' && (
        <div className={styles.dates}>
          {/* The other date comes along where a period would be reversed. */}
          <DateField
            name="from"
            label={t('results.from')}
            value={first}
            max={last}
            onChange={(day) => onChange(datesName(day, day > last ? day : last))}
          />
          <DateField
            name="to"
            label={t('results.to')}
            value={last}
            min={first}
            onChange={(day) => onChange(datesName(day < first ? day : first, day))}
          />
        </div>
      )}
    </div>
  );
}
