import { Download, Share2 } from 'lucide-react';
import { useState } from 'react';
import { formatShare, formatShort } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { copyText } from '../../ui/copyText';
import { showToast } from '../../ui/toasts';
import styles from './Bench.module.css';
import { keepRun } from './kept';
import type { Figures } from './measure';
import type { Run } from './run';

const SHARES: readonly (keyof Figures)[] = ['dropped', 'worker'];
const ROWS = [
  'framesPerSecond',
  'dropped',
  'interval99',
  'longFrames',
  'cost95',
  'ageMedian',
  'age99',
  'quotes',
  'messages',
  'kilobytes',
  'worker',
  'heap',
  'pace',
] as const satisfies readonly (keyof Figures)[];

function figure(run: Run, name: keyof Figures): string {
  const value = run.figures[name];
  if (value === undefined) return '–';
  return SHARES.includes(name) ? formatShare(value) : formatShort(value);
}

/** What a run has shown, beside one that was kept. */
export function Results({
  run,
  kept,
  onKeep,
}: {
  run: Run;
  kept: Run | undefined;
  onKeep(run: Run): void;
}) {
  const t = useT();
  const [isKept, setKept] = useState(false);
  const text = () => ROWS.map((name) => `${t(`bench.${name}`)}: ${figure(run, name)}`).join('\n');

  async function share(): Promise<void> {
    const shared = `${t('bench.title')}\n${text()}\n${JSON.stringify(run.workload)}`;
    // Where the device has nothing to share with, or the user thinks better of it.
    if (navigator.share) return navigator.share({ text: shared }).catch(() => {});
    const copied = await copyText(shared);
    showToast(t(copied ? 'common.copied' : 'common.notCopied'), copied ? 'info' : 'error');
  }

  return (
    <section className={styles.results}>
      <h2>{t('bench.result')}</h2>
      {run.wrongRows !== undefined && (
        <p role="status" className={run.wrongRows > 0 ? styles.wrong : undefined}>
          {run.wrongRows > 0 ? t('bench.wrong', { rows: run.wrongRows }) : t('bench.right')}
        </p>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('bench.measure')}</th>
            <th scope="col">{t('bench.now')}</th>
            {kept && <th scope="col">{t('bench.before')}</th>}
          </tr>
        </thead>
        <tbody>
          {ROWS.map((name) => (
            <tr key={name}>
              <th scope="row">{t(`bench.${name}`)}</th>
              <td>{figure(run, name)}</td>
              {kept && <td>{figure(kept, name)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.actions}>
        <Button
          disabled={isKept}
          onClick={() => {
            setKept(true);
            onKeep(run);
            void keepRun(run);
          }}
        >
          {t(isKept ? 'bench.kept' : 'bench.keep')}
        </Button>
        <Button onClick={() => save(JSON.stringify(run, null, 2), 'fulcrum-bench.json')}>
          <Download size={20} aria-hidden="true" />
          {t('bench.export')}
        </Button>
        <Button onClick={() => void share()}>
          <Share2 size={20} aria-hidden="true" />
          {t('bench.share')}
        </Button>
      </div>
    </section>
  );
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own reference once the click is handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
