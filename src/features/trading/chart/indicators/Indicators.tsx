import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { INDICATORS } from '#domain/indicators/catalogue';
import type { Instrument } from '#domain/market/instrument';
import type { ChartPeriod } from '#domain/market/kline';
import type { IndicatorCondition } from '#domain/trading/condition';
import { openAlertForm } from '../../../../alerts/alertWish';
import { language } from '../../../../i18n/i18n';
import {
  type ChosenIndicator,
  chosen,
  mostPanes,
  resetHeights,
  saveHeights,
  shownIndicators,
} from '../../../../instruments/indicatorSettings';
import { type Colour, PALETTE } from '../../../../instruments/indicatorStyle';
import { decimalsOf, formatValue, shortOf } from '../../../../instruments/indicatorText';
import { useMediaQuery, WIDE } from '../../../../ui/useMediaQuery';
import { useValue } from '../../../../useValue';
import { watchIndicators } from '../../../../worker/indicators';
import { onThemeChange } from '../chartColours';
import { drawnProperties, readColours } from '../colours';
import type { LiveChart } from '../liveChart';
import { IndicatorLegend } from './IndicatorLegend';
import { IndicatorsSheet } from './IndicatorsSheet';
import { IndicatorLayer } from './indicatorLayer';
import { indicatorsOpen } from './indicatorsOpen';

export interface IndicatorsProps {
  live: LiveChart;
  instrument: Instrument;
  period: ChartPeriod;
}

/** As a phone held sideways, where header and periods are above the bars too. */
const LOW = '(max-height: 30rem)';

type Palette = Readonly<Record<Colour, string>>;

const PROPERTIES = drawnProperties(PALETTE);

/** The user's indicators on a chart: what is drawn, its legend, and the sheet that changes them. */
export default function Indicators({
  live,
  instrument: { id, code, precision },
  period,
}: IndicatorsProps) {
  const shownLanguage = useValue(language);
  const all = useValue(chosen);
  const panes = mostPanes(useMediaQuery(WIDE), useMediaQuery(LOW));
  const shown = useMemo(() => shownIndicators(all, panes), [all, panes]);
  const [layer] = useState(() => new IndicatorLayer());
  const probe = useRef<HTMLSpanElement>(null);
  const [palette, setPalette] = useState<Palette>();

  useEffect(() => {
    live.extend(layer);
    return () => live.extend(undefined);
  }, [live, layer]);
  useEffect(
    () =>
      onThemeChange(() => {
        if (probe.current) setPalette(readColours(probe.current, PROPERTIES));
      }),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: values are written in the language
  useLayoutEffect(() => {
    if (!palette) return;
    layer.show(
      shown.map((each) => ({
        ...each,
        name: shortOf(each),
        colours: each.colours.map((colour) => palette[colour]),
        decimals: decimalsOf(INDICATORS[each.kind].unit, precision),
        format: (value) => formatValue(value, INDICATORS[each.kind].unit, precision),
      })),
      palette.grey,
    );
  }, [layer, shown, palette, precision, shownLanguage]);
  useEffect(() => watchIndicators({ instrumentId: id, period }, shown), [id, period, shown]);

  // The library moves the line between two panes, and tells nobody.
  useEffect(() => {
    const figure = probe.current?.closest('figure');
    const save = () => saveHeights(layer.heights());
    const reset = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('td[colspan]')) resetHeights();
    };
    addEventListener('pointerup', save);
    addEventListener('pointercancel', save);
    figure?.addEventListener('dblclick', reset);
    return () => {
      removeEventListener('pointerup', save);
      removeEventListener('pointercancel', save);
      figure?.removeEventListener('dblclick', reset);
    };
  }, [layer]);

  // What lies at the lower end of the bars moves up with it.
  const lower = useValue(layer.lower);
  useLayoutEffect(() => {
    const figure = probe.current?.closest('figure');
    figure?.style.setProperty('--lower-panes', `${lower}px`);
    return () => {
      figure?.style.removeProperty('--lower-panes');
    };
  }, [lower]);

  return (
    <>
      <span ref={probe} hidden />
      <IndicatorLegend live={live} layer={layer} shown={shown} precision={precision} />
      <IndicatorsSheet
        live={live}
        all={all}
        shown={shown}
        onAlert={(indicator) => {
          indicatorsOpen.value = undefined;
          openAlertForm(code, '', { condition: alertOn(indicator, period) });
        }}
      />
    </>
  );
}

/** What the form of an alert begins with: the first line of the indicator, and what it usually crosses. */
function alertOn({ kind, parameters }: ChosenIndicator, period: ChartPeriod): IndicatorCondition {
  const [output] = INDICATORS[kind].lines as [IndicatorCondition['output']];
  return {
    ...{ kind: 'indicator', name: kind, settings: parameters, output, period },
    ...{ level: undefined, other: undefined, cross: 'any' },
  };
}
