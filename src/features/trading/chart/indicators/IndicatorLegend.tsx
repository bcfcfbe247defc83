import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { INDICATORS } from '#domain/indicators/catalogue';
import { formatCount } from '../../../../i18n/format';
import { language, useT } from '../../../../i18n/i18n';
import type { ChosenIndicator } from '../../../../instruments/indicatorSettings';
import { formatValue, shortOf } from '../../../../instruments/indicatorText';
import { writeText } from '../../../../ui/textCell';
import { throttledEffect } from '../../../../ui/throttle';
import { useValue } from '../../../../useValue';
import { legendFolded } from '../chartSettings';
import type { LiveChart } from '../liveChart';
import styles from './Indicators.module.css';
import type { IndicatorLayer } from './indicatorLayer';

interface IndicatorLegendProps {
  live: LiveChart;
  layer: IndicatorLayer;
  shown: readonly ChosenIndicator[];
  precision: number;
}

/** The values under the crosshair, otherwise of the last bar in sight; each pane's at its top. */
export function IndicatorLegend({ live, layer, shown, precision }: IndicatorLegendProps) {
  const places = useValue(layer.places);
  const state = useValue(live.state);
  if (state.kind !== 'shown') return null;
  const entry = (indicator: ChosenIndicator) => (
    <Entry key={indicator.id} indicator={indicator} {...{ live, layer, precision }} />
  );
  const overBars = shown.filter(({ kind }) => INDICATORS[kind].place === 'price');
  return (
    <>
      {overBars.length > 0 && <OverBars count={overBars.length}>{overBars.map(entry)}</OverBars>}
      {places.map(({ id, top }) => {
        const indicator = shown.find((each) => each.id === id);
        return (
          indicator && (
            <div key={id} className={styles.pane} style={{ insetBlockStart: top }}>
              {entry(indicator)}
            </div>
          )
        );
      })}
    </>
  );
}

/** What stands over the bars, which the user may fold to see them. */
function OverBars({ count, children }: { count: number; children: ReactNode }) {
  const t = useT();
  const folded = useValue(legendFolded);
  return (
    <>
      {!folded && <div className={styles.overBars}>{children}</div>}
      <button
        type="button"
        className={styles.fold}
        aria-label={t('trade.indicators.values')}
        aria-expanded={!folded}
        onClick={() => {
          legendFolded.value = !folded;
        }}
      >
        {folded ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
        {folded && formatCount(count)}
      </button>
    </>
  );
}

interface EntryProps extends Omit<IndicatorLegendProps, 'shown'> {
  indicator: ChosenIndicator;
}

function Entry({ indicator, live, layer, precision }: EntryProps) {
  const shownLanguage = useValue(language);
  const { id, kind, colours } = indicator;
  const { lines, unit } = INDICATORS[kind];
  const values = useRef<(HTMLElement | null)[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: values are formatted in the language
  useLayoutEffect(() => {
    const write = () => {
      const at = live.legendIndex.peek();
      const present = at === undefined ? [] : layer.valuesAt(id, at);
      lines.forEach((_, line) => {
        const value = present[line] ?? Number.NaN;
        const text = Number.isNaN(value) ? '' : formatValue(value, unit, precision);
        const element = values.current[line] ?? null;
        writeText(element, text);
        const cell = element?.parentElement;
        if (cell && cell.hidden !== (text === '')) cell.hidden = text === '';
      });
    };
    return throttledEffect(() => {
      // It is another object with each tick.
      void live.legendBar.value;
      // Older bars may come before the values that belong to them.
      return `${live.legendIndex.value} ${layer.revision.value}`;
    }, write);
  }, [live, layer, id, lines, unit, precision, shownLanguage]);

  return (
    <p className={styles.entry} aria-hidden="true" data-indicator={kind}>
      <span>{shortOf(indicator)}</span>
      {lines.map((line, at) => (
        <span key={line} className={styles.value} data-colour={colours[at]}>
          <span
            ref={(element) => {
              values.current[at] = element;
            }}
          />
        </span>
      ))}
    </p>
  );
}
