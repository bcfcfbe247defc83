import {
  INDICATORS,
  type IndicatorKind,
  type IndicatorParameterName,
  type IndicatorProblem,
  indicatorProblems,
} from '#domain/indicators/catalogue';
import { formatDecimals } from '../i18n/format';
import { t, useT } from '../i18n/i18n';
import { parseNumber } from '../i18n/numberInput';
import { formClass } from '../ui/Form';
import { NumberField } from '../ui/NumberField';
import { INDICATOR_STYLES } from './indicatorStyle';
import { LATIN, lineName } from './indicatorText';

const asText = (value: number) => formatDecimals(value, 3);

/** Parameters as they are typed. */
export const parameterTexts = (parameters: readonly number[]): readonly string[] =>
  parameters.map(asText);

/** What is typed; NaN for what is no number. */
export const typedParameters = (texts: readonly string[]): readonly number[] =>
  texts.map((text) => Number(parseNumber(text) || Number.NaN));

interface ParameterFieldsProps {
  kind: IndicatorKind;
  /** As they are typed, in the order of the definition. */
  texts: readonly string[];
  onChange(texts: readonly string[]): void;
  /** By this name a form finds the first field that is wrong. */
  wrong?: string;
}

/** The parameters of an indicator, each with what is wrong with it. */
export function ParameterFields({ kind, texts, onChange, wrong }: ParameterFieldsProps) {
  useT();
  const { parameters } = INDICATORS[kind];
  const typed = typedParameters(texts);
  const problems = indicatorProblems({ kind, parameters: typed });
  const firstWrong = problems.findIndex((problem) => problem !== undefined);
  if (parameters.length === 0) return null;

  const step = (at: number, direction: 1 | -1) => {
    const parameter = parameters[at];
    const value = typed[at];
    if (!parameter || value === undefined || Number.isNaN(value)) return;
    const by = direction / 10 ** parameter.decimals;
    const next = Math.min(parameter.most, Math.max(parameter.least, value + by));
    onChange(texts.with(at, asText(Number(next.toFixed(parameter.decimals)))));
  };

  return (
    <fieldset aria-label={INDICATOR_STYLES[kind].short} className={formClass}>
      {parameters.map(({ name, least, most }, at) => (
        <NumberField
          key={name}
          label={parameterName(name)}
          name={at === firstWrong && wrong ? wrong : name}
          text={texts[at] ?? ''}
          onChange={(text) => onChange(texts.with(at, text))}
          onStep={(direction) => step(at, direction)}
          canDecrease={!((typed[at] ?? 0) <= least)}
          canIncrease={!((typed[at] ?? 0) >= most)}
          error={problemText(problems[at])}
        />
      ))}
    </fieldset>
  );
}

/** Parameters that are called as the line that they make. */
const OF_LINES = ['conversion', 'base', 'spanB', 'signal'] as const;

function parameterName(name: IndicatorParameterName): string {
  if (name === 'percentK' || name === 'percentD') return LATIN[name];
  const line = OF_LINES.find((each) => each === name);
  if (line) return lineName(line);
  return t(`trade.indicators.parameter.${name as Exclude<typeof name, (typeof OF_LINES)[number]>}`);
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
