import { Download, Share2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { toUnixMs } from '#domain/core/time';
import { FRAME_MS } from '#domain/worker/workerApi';
import type { DeviceResults } from '#domain/workload/deviceRun';
import { HELD_MS, ladderOf, slowedTo } from '#domain/workload/verdict';
import { formatCount, formatDate, formatShort, isolated } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { copyText } from '../../ui/copyText';
import { showToastHere } from '../../ui/toastStore';
import { Details } from './Details';
import { browserName } from './device';
import { Ladders } from './Ladders';
import { REFERENCE } from './reference';
import styles from './SpeedTest.module.css';
import { coreName, failedSteps, verdict } from './verdict';

interface ResultsProps {
  results: DeviceResults;
  /** The test before this one on this device. */
  before: DeviceResults | undefined;
}

/** The verdict on this device, beside the reference and the test before. */
export function Results({ results, before }: ResultsProps) {
  const t = useT();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  const own = ladderOf(results.runs);
  const sentence = verdict(own, REFERENCE.cores);
  const slowed = slowedTo(results.runs, FRAME_MS);
  const slowedText = slowed === undefined ? '' : t('bench.slowed', { ms: formatShort(slowed) });
  const failed = failedSteps(results.runs);
  const dateOf = (at: unknown) => formatDate(toUnixMs(Date.parse(String(at))));
  const ladders = [
    { name: t('security.thisDevice'), ladder: own },
    ...(before
      ? [
          {
            name: `${t('bench.before')} · ${dateOf(before.about['at'])}`,
            ladder: ladderOf(before.runs),
          },
        ]
      : []),
    ...REFERENCE.cores.map(({ core, ladder }) => ({ name: coreName(core), ladder })),
  ];

  async function share(): Promise<void> {
    const browser = browserName(String(results.about['browser']));
    const shared = [`${t('bench.title')}: ${browser}`, sentence, slowedText]
      .filter(Boolean)
      .join('\n');
    // Rejects where nothing can be shared or the user cancels.
    if (navigator.share) return navigator.share({ text: shared }).catch(() => {});
    const copied = await copyText(shared);
    showToastHere(t(copied ? 'common.copied' : 'common.notCopied'), copied ? 'info' : 'error');
  }

  const { cpu, browser, at } = REFERENCE.about;
  return (
    <section className={styles.results}>
      <h2 ref={heading} tabIndex={-1} className={styles.verdict}>
        {sentence}
      </h2>
      {slowedText && <p>{slowedText}</p>}
      <p role="status" className={failed.length > 0 ? styles.wrong : undefined}>
        {failed.length > 0 ? t('bench.wrong', { screens: failed.join(', ') }) : t('bench.right')}
      </p>
      <p className="caption">{t('bench.lag', { ms: formatCount(HELD_MS) })}</p>
      <Ladders ladders={ladders} />
      {REFERENCE.cores.length > 0 && (
        <p className="caption">
          {t('bench.measured', {
            where: isolated(`${cpu}, ${browser}`),
            date: isolated(dateOf(at)),
          })}
        </p>
      )}
      <Details runs={results.runs} />
      <div className={styles.actions}>
        <Button onClick={() => save(JSON.stringify(results, null, 2), 'fulcrum-bench.json')}>
          <Download size={20} />
          {t('common.export')}
        </Button>
        <Button onClick={() => void share()}>
          <Share2 size={20} />
          {t('common.share')}
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
  // The browser holds the download once the click is handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
