import { useState } from 'react';
import {
  INDICATORS,
  type IndicatorProblem,
  indicatorProblems,
  isIndicatorSpec,
  usualIndicator,
} from '#domain/indicators/catalogue';
import { formatDecimals } from '../../../../i18n/format';
import { t, useT } from '../../../../i18n/i18n';
import { parseNumber } from '../../../../i18n/numberInput';
import { type ChosenIndicator, changeIndicator } from '../../../../instruments/indicatorSettings';
import { INDICATOR_STYLES, PALETTE } from '../../../../instruments/indicatorStyle';
import { lineName } from '../../../../instruments/indicatorText';
import { Button } from '../../../../ui/Button';
import { NumberField } from '../../../../ui/NumberField';
import { ColourChoice } from '../ColourChoice';
import styles from './Indicators.module.css';
import { colourName, parameterName } from './texts';

const asText = (value: number) => formatDecimals(value, 3);

/** Parameters and colours of an indicator. What is right is drawn immediately. */
export function EditIndicator({ indicator }: { indicator: ChosenIndicator }) {
  const t = useT();
  const { id, kind, colours } = indicator;
  const { parameters, lines } = INDICATORS[kind];
  const [texts, setTexts] = useState(() => indicator.parameters.map(asText));
  const typed = texts.map((text) => Number(parseNumber(text) || Number.NaN));
  const problems = indicatorProblems({ kind, parameters: typed });

  const write = (next: readonly string[]) => {
    setTexts([...next]);
    const spec = { kind, parameters: next.map((text) => Number(parseNumber(text) || Number.NaN)) };
    if (isIndicatorSpec(spec)) changeIndicator(id, { parameters: spec.parameters });
  };
  const step = (at: number, direction: 1 | -1) => {
    const parameter = parameters[at];
    const value = typed[at];
    if (!parameter || value === undefined || Number.isNaN(value)) return;
    const by = direction / 10 ** parameter.decimals;
    const next = Math.min(parameter.most, Math.max(parameter.least, value + by));
    write(texts.with(at, asText(Number(next.toFixed(parameter.decimals)))));
  };

  return (
    <div className={styles.sheet}>
      {parameters.map(({ name, least, most }, at) => (
        <NumberField
          key={name}
          label={parameterName(name)}
          name={name}
          text={texts[at] ?? ''}
          onChange={(text) => write(texts.with(at, text))}
          onStep={(direction) => step(at, direction)}
          canDecrease={!((typed[at] ?? 0) <= least)}
          canIncrease={!((typed[at] ?? 0) >= most)}
          error={problemText(problems[at])}
        />
      ))}
      {lines.map((line, at) => (
        <ColourChoice
          key={line}
          label={lines.length > 1 ? lineName(line) : t('trade.colour')}
          colours={PALETTE}
          nameOf={colourName}
          value={colours[at]}
          onChange={(colour) => changeIndicator(id, { colours: colours.with(at, colour) })}
        />
      ))}
      <Button
        onClick={() => {
          const usual = usualIndicator(kind).parameters;
          setTexts(usual.map(asText));
          changeIndicator(id, {
            parameters: usual,
            colours: INDICATOR_STYLES[kind].colours,
            height: undefined,
          });
        }}
      >
        {t('trade.indicators.usual')}
      </Button>
    </div>
  );
}

function problemText(problem: IndicatorProblem | undefined): string | undefined {
  switch (problem?.kind) {
    case undefined:
      return undefined;
    case 'number':
      return problem.decimals === 0
        ? t('trade.indicators.problem.whole')
        : t('trade.indicators.problem.decimals', { digits: problem.decimals });
    case 'range':
      return t('trade.indicators.problem.range', {
        least: asText(problem.least),
        most: asText(problem.most),
      });
    case 'order':
      return t('trade.indicators.problem.order', { name: parameterName(problem.below) });
  }
}
