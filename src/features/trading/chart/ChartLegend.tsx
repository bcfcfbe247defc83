import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Bar } from '#domain/market/kline';
import { formatChange, formatPrice, formatPriceChange, formatVolume } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { writeAttribute, writeText } from '../../../ui/textCell';
import { throttledEffect } from '../../../ui/throttle';
import { useValue } from '../../../useValue';
import styles from './Chart.module.css';
import type { LiveChart } from './liveChart';

const FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** The texts of a bar and its direction. */
function legendOf(bar: Bar, precision: number) {
  const move = bar.close - bar.open;
  return {
    texts: [
      ...[bar.open, bar.high, bar.low, bar.close].map((price) => formatPrice(price, precision)),
      formatVolume(bar.volume),
    ],
    change: `${formatPriceChange(move, precision)} ${formatChange(bar.open === 0 ? 0 : (move / bar.open) * 100)}`,
    direction: move > 0 ? 'up' : move < 0 ? 'down' : 'flat',
  };
}

interface ChartLegendProps {
  live: LiveChart;
  precision: number;
  /** Below it: what is drawn beside the bars. */
  children: ReactNode;
}

/**
 * Open, high, low, close and volume of the bar under the crosshair, otherwise of the last in sight.
 */
export function ChartLegend({ live, precision, children }: ChartLegendProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const pointed = useValue(live.isPointed);
  const legend = useRef<HTMLParagraphElement>(null);
  const values = useRef<(HTMLElement | null)[]>([]);
  const change = useRef<HTMLElement>(null);
  const note = useRef<HTMLElement>(null);
  const marked = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () =>
      throttledEffect(
        () => {
          // The bar moves with each price, and the compared instrument while the bar does not.
          void live.notes.value;
          void live.legendBar.value;
          return live.legendIndex.value;
        },
        () => {
          const bar = live.legendBar.peek();
          if (!legend.current || !change.current) return;
          legend.current.hidden = !bar;
          if (!bar) return;
          const written = legendOf(bar, precision);
          writeAttribute(legend.current, 'data-direction', written.direction);
          written.texts.forEach((text, index) => {
            writeText(values.current[index] ?? null, text);
          });
          writeText(change.current, written.change);
          writeText(note.current, live.noteOf(bar));
          writeText(marked.current, live.markedNote());
        },
      ),
    [live, precision, shownLanguage],
  );

  return (
    <div className={styles.legends} data-pointed={pointed || undefined}>
      <p ref={legend} className={styles.legend} aria-hidden="true">
        {FIELDS.map((field, index) => (
          <span key={field}>
            {t(`trade.legend.${field}`)}{' '}
            <b
              ref={(element) => {
                values.current[index] = element;
              }}
            />
          </span>
        ))}
        <b ref={change} />
        <span ref={note} className={styles.note} />
        <bdi ref={marked} className={styles.marked} />
      </p>
      {children}
    </div>
  );
}
