import { useEffect, useRef } from 'react';
import { formatShare, formatShort } from '../i18n/format';
import { language, useT } from '../i18n/i18n';
import { writeText } from '../ui/textCell';
import { useValue } from '../useValue';
import { quoteAges } from '../worker/frameCost';
import { observeFrames } from '../worker/frameReceiver';
import { watchRates } from '../worker/traffic';
import styles from './Overlay.module.css';

/** Performance figures over every screen, updated once a second. */
export default function Overlay() {
  const t = useT();
  const shown = useValue(language);
  const box = useRef<HTMLDListElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useEffect(() => {
    let frames = 0;
    let ages: number[] = [];
    const unobserve = observeFrames(({ quotes }) => {
      frames += 1;
      if (quotes) ages.push(...quoteAges(quotes));
    });
    const stop = watchRates(true, (rates) => {
      ages.sort((a, b) => a - b);
      const age = ages[Math.floor(ages.length / 2)];
      const figures = [
        formatShort(frames),
        age === undefined ? '–' : formatShort(age),
        formatShort(rates.messagesPerSecond),
        formatShort(rates.kilobytesPerSecond),
        formatShare(rates.busy),
      ];
      frames = 0;
      ages = [];
      const cells = box.current?.querySelectorAll('dd') ?? [];
      for (const [index, cell] of cells.entries()) writeText(cell, figures[index] ?? '');
    });
    return () => {
      unobserve();
      stop();
    };
  }, [shown]);

  return (
    <dl ref={box} className={styles.overlay}>
      {(['frames', 'age', 'messages', 'kilobytes', 'worker'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`overlay.${name}`)}</dt>
          <dd />
        </div>
      ))}
    </dl>
  );
}
