import { Download, Share2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toUnixMs } from '#domain/core/time';
import { formatDateTime, formatShare, formatShort, UNKNOWN } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { copyText } from '../../ui/copyText';
import { showToastHere } from '../../ui/toastStore';
import { CONDITION_NAMES, conditionText } from './conditions';
import type { Figures } from './measure';
import type { Run } from './run';
import styles from './SpeedTest.module.css';
import { saveRun } from './savedRun';

const SHARES: readonly (keyof Figures)[] = ['dropped', 'worker'];
const FIGURES = [
  'framesPerSecond',
  'updates',
  'dropped',
  'interval99',
  'longFrames',
  'keyDelay95',
  'keyPaint95',
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

function figureText(run: Run, name: keyof Figures): string | undefined {
  const value = run.figures[name];
  if (value === undefined) return undefined;
  return SHARES.includes(name) ? formatShare(value) : formatShort(value);
}

interface Row {
  name: string;
  texts: string[];
}

/** A row for each name that has a text in at least one run. */
function rowsOf<Name extends string>(
  names: readonly Name[],
  runs: readonly Run[],
  textOf: (run: Run, name: Name) => string | undefined,
  labelOf: (name: Name) => string,
): Row[] {
  return names
    .filter((name) => runs.some((run) => textOf(run, name) !== undefined))
    .map((name) => ({
      name: labelOf(name),
      texts: runs.map((run) => textOf(run, name) ?? UNKNOWN),
    }));
}

/** The figures of a run, beside those of the saved one. */
export function Results({
  run,
  saved,
  onSave,
}: {
  run: Run;
  saved: Run | undefined;
  onSave(run: Run): void;
}) {
  const t = useT();
  const [isSaved, setSaved] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // The results may be below the visible part.
  useEffect(() => {
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, []);
  const figures = (runs: readonly Run[]) =>
    rowsOf(FIGURES, runs, figureText, (name) => t(`bench.${name}`));
  const conditions = (runs: readonly Run[]) =>
    rowsOf(CONDITION_NAMES, runs, conditionText, (name) =>
      t(name === 'saver' ? 'saver.title' : `bench.${name}`),
    );
  const verdict = (ofRows: boolean, rows: number) =>
    rows > 0
      ? t(ofRows ? 'bench.wrong' : 'bench.wrongPrice', { rows })
      : t(ofRows ? 'bench.right' : 'bench.rightPrice');
  const runs = saved ? [run, saved] : [run];

  async function share(): Promise<void> {
    const rows = [...figures([run]), ...conditions([run])];
    const shared = [t('bench.title'), ...rows.map(({ name, texts }) => `${name}: ${texts}`)].join(
      '\n',
    );
    // Rejects where nothing can be shared or the user cancels.
    if (navigator.share) return navigator.share({ text: shared }).catch(() => {});
    const copied = await copyText(shared);
    showToastHere(t(copied ? 'common.copied' : 'common.notCopied'), copied ? 'info' : 'error');
  }

  return (
    <section className={styles.results}>
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {t('bench.result')}
      </h2>
      {run.wrong !== undefined && (
        <p role="status" className={run.wrong > 0 ? styles.wrong : undefined}>
          {verdict(run.workload.screen === 'list', run.wrong)}
        </p>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('bench.measure')}</th>
            <th scope="col">{t('bench.now')}</th>
            {saved && (
              <th scope="col">
                {t('bench.before')}
                <br />
                {formatDateTime(toUnixMs(Date.parse(saved.at)))}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {figures(runs).map((row) => (
            <TableRow key={row.name} {...row} />
          ))}
        </tbody>
        <tbody>
          <tr>
            <th scope="rowgroup" colSpan={runs.length + 1} className={styles.group}>
              {t('bench.conditions')}
            </th>
          </tr>
          {conditions(runs).map((row) => (
            <TableRow key={row.name} {...row} marked={new Set(row.texts).size > 1} />
          ))}
        </tbody>
      </table>
      <div className={styles.actions}>
        <Button
          disabled={isSaved}
          onClick={() => {
            setSaved(true);
            onSave(run);
            void saveRun(run);
          }}
        >
          {t(isSaved ? 'bench.kept' : 'bench.keep')}
        </Button>
        <Button onClick={() => save(JSON.stringify(run, null, 2), 'fulcrum-bench.json')}>
          <Download size={20} />
          {t('bench.export')}
        </Button>
        <Button onClick={() => void share()}>
          <Share2 size={20} />
          {t('bench.share')}
        </Button>
      </div>
    </section>
  );
}

function TableRow({ name, texts, marked }: Row & { marked?: boolean }) {
  return (
    <tr data-differs={marked || undefined}>
      <th scope="row">{name}</th>
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: runs keep their order
        <td key={index}>{text}</td>
      ))}
    </tr>
  );
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser holds the download once the click is handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
