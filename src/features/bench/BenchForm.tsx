import type { Workload } from '#domain/workload';
import { formatCount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Segmented } from '../../ui/Segmented';
import { SelectField } from '../../ui/SelectField';
import styles from './Bench.module.css';

const NUMBERS = {
  instruments: [20, 100, 500, 2000, 10_000],
  rate: [0, 50, 300, 1000, 5000],
  rows: [8, 20, 50],
  perMessage: [1, 20],
} as const;
const WORDS = {
  spread: ['even', 'zipf'],
  rhythm: ['steady', 'burst'],
  scrolling: ['still', 'fling'],
} as const;

/** The workloads of the benchmark, to choose from. */
export function BenchForm({
  workload,
  onChange,
}: {
  workload: Workload;
  onChange(workload: Workload): void;
}) {
  const t = useT();
  const fromServer = workload.source === 'server';

  const numbers = (name: keyof typeof NUMBERS) => (
    <SelectField
      label={t(`bench.${name}`)}
      name={name}
      placeholder=""
      options={NUMBERS[name].map((value) => ({ value, label: formatCount(value) }))}
      value={workload[name]}
      onChange={(value) => onChange({ ...workload, [name]: value })}
    />
  );
  const words = (name: keyof typeof WORDS) => (
    <SelectField
      label={t(`bench.${name}`)}
      name={name}
      placeholder=""
      options={WORDS[name].map((word, value) => ({ value, label: t(`bench.${word}`) }))}
      value={(WORDS[name] as readonly string[]).indexOf(workload[name])}
      onChange={(value) => onChange({ ...workload, [name]: WORDS[name][value] })}
    />
  );

  return (
    <div className={styles.form}>
      <Segmented
        label={t('bench.source')}
        options={[
          { value: 'device', label: t('bench.device') },
          { value: 'server', label: t('bench.server') },
        ]}
        value={workload.source}
        onChange={(source) => onChange({ ...workload, source })}
      />
      <div className={styles.fields}>
        {!fromServer && numbers('instruments')}
        {!fromServer && numbers('rate')}
        {numbers('rows')}
        {!fromServer && numbers('perMessage')}
        {!fromServer && words('spread')}
        {!fromServer && words('rhythm')}
        {words('scrolling')}
      </div>
    </div>
  );
}
