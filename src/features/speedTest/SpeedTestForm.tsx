import type { Workload } from '#domain/workload/workload';
import { formatCount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Segmented } from '../../ui/Segmented';
import { SelectField } from '../../ui/SelectField';
import { applies } from './conditions';
import styles from './SpeedTest.module.css';

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
const FIELDS = [
  'instruments',
  'rate',
  'rows',
  'perMessage',
  'spread',
  'rhythm',
  'scrolling',
] as const;
const SCREENS = ['list', 'chart', 'ticket'] as const;
const SOURCES = ['device', 'server'] as const;

/** A form that chooses the workload. */
export function SpeedTestForm({
  workload,
  onChange,
}: {
  workload: Workload;
  onChange(workload: Workload): void;
}) {
  const t = useT();
  const change = (next: Partial<Workload>) => onChange({ ...workload, ...next });

  const numbers = (name: keyof typeof NUMBERS) => (
    <SelectField
      key={name}
      label={t(`bench.${name}`)}
      name={name}
      placeholder=""
      options={NUMBERS[name].map((value) => ({ value, label: formatCount(value) }))}
      value={workload[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  const words = (name: keyof typeof WORDS) => (
    <SelectField
      key={name}
      label={t(`bench.${name}`)}
      name={name}
      placeholder=""
      options={WORDS[name].map((word, value) => ({ value, label: t(`bench.${word}`) }))}
      value={(WORDS[name] as readonly string[]).indexOf(workload[name])}
      onChange={(value) => change({ [name]: WORDS[name][value] })}
    />
  );

  return (
    <div className={styles.form}>
      <div>
        <p className="caption" aria-hidden="true">
          {t('bench.screen')}
        </p>
        <Segmented
          label={t('bench.screen')}
          options={SCREENS.map((value) => ({ value, label: t(`bench.${value}`) }))}
          value={workload.screen}
          // With many equally active instruments, a single one would rarely move.
          onChange={(screen) => change({ screen, spread: screen === 'list' ? 'even' : 'zipf' })}
        />
      </div>
      <div>
        <p className="caption" aria-hidden="true">
          {t('bench.source')}
        </p>
        <Segmented
          label={t('bench.source')}
          options={SOURCES.map((value) => ({ value, label: t(`bench.${value}`) }))}
          value={workload.source}
          onChange={(source) => change({ source })}
        />
      </div>
      <div className={styles.fields}>
        {FIELDS.filter((name) => applies(name, workload)).map((name) =>
          name in NUMBERS
            ? numbers(name as keyof typeof NUMBERS)
            : words(name as keyof typeof WORDS),
        )}
      </div>
    </div>
  );
}
