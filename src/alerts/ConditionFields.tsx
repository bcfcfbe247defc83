import { toText } from '#domain/core/decimal';
import {
  INDICATOR_KINDS,
  INDICATORS,
  isIndicatorSpec,
  usualIndicator,
} from '#domain/indicators/catalogue';
import { CHART_PERIODS, type ChartPeriod } from '#domain/market/kline';
import {
  CONDITION_KINDS,
  type Condition,
  type ConditionKind,
  CROSSES,
  type Cross,
  conditionParams,
  type IndicatorOutput,
  type LineCondition,
  parseCondition,
  WINDOWS,
  watchableLines,
} from '#domain/trading/condition';
import { useT } from '../i18n/i18n';
import { formatNumberInput, parseNumber } from '../i18n/numberInput';
import { chosen } from '../instruments/indicatorSettings';
import { INDICATOR_STYLES } from '../instruments/indicatorStyle';
import { ParameterFields, parameterTexts, typedParameters } from '../instruments/ParameterFields';
import { NumberField } from '../ui/NumberField';
import { SelectField } from '../ui/SelectField';
import { useValue } from '../useValue';
import { user } from '../worker/trading';
import { exactLevel, outputText } from './conditionText';

/** What is entered of a condition. */
export interface EnteredCondition {
  kind: ConditionKind;
  output: IndicatorOutput;
  /** The settings of `output` as they are typed. */
  settings: readonly string[];
  period: ChartPeriod;
  /** What it crosses: a value, the price, or another line. */
  against: 'level' | 'price' | IndicatorOutput;
  /** The settings of `against` as they are typed; undefined where it has those of `output`, as a signal line has. */
  others: readonly string[] | undefined;
  cross: Cross;
  level: string;
  change: string;
  window: (typeof WINDOWS)[number];
  margin: string;
  /** Comes from the chart. */
  line: LineCondition | undefined;
}

/** With all digits: `String` writes the smallest numbers with an exponent, which nobody types. */
const asText = (value: number) => formatNumberInput(toText(exactLevel(value)));

/** The first value that its literature looks at, as 30 of RSI. */
function usualLevel({ name }: IndicatorOutput): string {
  return asText(INDICATOR_STYLES[name].levels?.[0] ?? 0);
}

/** Indicators over the bars are compared with the price, the others with a value. */
function usualAgainst({ name }: IndicatorOutput): EnteredCondition['against'] {
  return INDICATORS[name].place === 'price' ? 'price' : 'level';
}

/** Those of the line that is crossed, where it has its own. */
function othersOf(
  against: EnteredCondition['against'],
  { name, settings }: IndicatorOutput,
): EnteredCondition['others'] {
  if (typeof against !== 'object') return undefined;
  const isOne = against.name === name && String(against.settings) === String(settings);
  return isOne ? undefined : parameterTexts(against.settings);
}

/** What the form begins with: what is known of the condition, otherwise what is usual. */
export function enteredOf(condition: Condition | undefined): EnteredCondition {
  const own = condition?.kind === 'indicator' ? condition : undefined;
  const output: IndicatorOutput = own
    ? { name: own.name, settings: own.settings, output: own.output }
    : { name: 'rsi', settings: usualIndicator('rsi').parameters, output: 'rsi' };
  const level = own?.level;
  const against =
    own && level === undefined ? (own.other ?? usualAgainst(output)) : ('level' as const);
  return {
    kind: condition?.kind ?? 'price',
    output,
    settings: parameterTexts(output.settings),
    period: own?.period ?? '60min',
    against,
    others: othersOf(against, output),
    cross: own?.cross ?? 'any',
    level: level === undefined ? usualLevel(output) : asText(level),
    change: asText(condition?.kind === 'percent' ? condition.change : 1),
    window: condition?.kind === 'percent' ? condition.window : 'day',
    margin: asText(condition?.kind === 'margin' ? condition.level : 100),
    line: condition?.kind === 'line' ? condition : undefined,
  };
}

/** A line with the settings that are typed. NaN is among them where they are no numbers. */
const withSettings = (output: IndicatorOutput, texts: readonly string[]): IndicatorOutput => ({
  ...output,
  settings: typedParameters(texts),
});

/** Whether the settings of all lines can be computed. */
export function hasSettings({ kind, output, settings, against, others }: EnteredCondition) {
  const entered = [withSettings(output, settings)];
  if (typeof against === 'object' && others) entered.push(withSettings(against, others));
  return (
    kind !== 'indicator' ||
    entered.every(({ name, settings: parameters }) => isIndicatorSpec({ kind: name, parameters }))
  );
}

/** The condition that is entered; undefined for numbers that are none, or that nobody can watch. */
export function conditionOf(entered: EnteredCondition): Condition | undefined {
  const { kind, output, settings, period, against, others, cross, window, line } = entered;
  const number = (text: string) => Number(parseNumber(text) || Number.NaN);
  const isLevel = against === 'level';
  const condition: Condition | undefined =
    kind === 'indicator'
      ? {
          ...{ kind, ...withSettings(output, settings), period, cross },
          level: isLevel ? number(entered.level) : undefined,
          other:
            typeof against === 'object'
              ? withSettings(against, others ?? settings)
              : isLevel
                ? undefined
                : against,
        }
      : kind === 'percent'
        ? { kind, change: number(entered.change), window }
        : kind === 'margin'
          ? { kind, level: number(entered.margin) }
          : kind === 'line'
            ? line
            : { kind };
  // NaN becomes null on the way, and is refused.
  return condition && parseCondition(condition.kind, conditionParams(condition));
}

interface ConditionFieldsProps {
  entered: EnteredCondition;
  onChange(change: Partial<EnteredCondition>): void;
  /** What is wrong with what is entered. */
  error: string | undefined;
}

/** What an alert is on, and the fields of all kinds but the price. */
export function ConditionFields({ entered, onChange, error }: ConditionFieldsProps) {
  const t = useT();
  const visitor = useValue(user) === null;
  const { kind, output, settings, period, against, others, cross, window, line } = entered;
  const names: Record<ConditionKind, string> = {
    price: t('trade.preview.price'),
    indicator: t('alerts.kind.indicator'),
    line: t('trade.draw.kind.trend'),
    percent: t('alerts.kind.percent'),
    margin: t('account.marginLevel'),
  };
  const outputs = outputsOf(output);
  const lines = typeof against === 'object' ? outputsOf(against) : outputs;
  const targets = [
    ...(['level', 'price'] as const),
    ...lines.filter((each) => each === against || !isSame(each, output)),
  ];
  /** With the settings in its name, once they can be computed. */
  const withTyped = (line: IndicatorOutput, texts: readonly string[]) => {
    const next = withSettings(line, texts);
    return isIndicatorSpec({ kind: next.name, parameters: next.settings }) ? next : line;
  };
  return (
    <>
      <SelectField
        label={t('alerts.on')}
        name="kind"
        options={CONDITION_KINDS.map((each, value) => ({ value, label: names[each] })).filter(
          // A visitor has no account.
          ({ value }) => !visitor || CONDITION_KINDS[value] !== 'margin',
        )}
        value={CONDITION_KINDS.indexOf(kind)}
        onChange={(at) => onChange({ kind: CONDITION_KINDS[at] ?? 'price' })}
        placeholder=""
        error={kind === 'line' && !line ? error : undefined}
        hint={kind === 'line' && !line ? t('alerts.noLine') : undefined}
      />
      {kind === 'indicator' && (
        <>
          <SelectField
            label={t('alerts.kind.indicator')}
            name="indicator"
            options={outputs.map((each, value) => ({ value, label: outputText(each) }))}
            value={outputs.findIndex((each) => isSame(each, output))}
            onChange={(at) => {
              const next = outputs[at] ?? output;
              onChange({
                ...{ output: next, settings: parameterTexts(next.settings) },
                ...{ against: usualAgainst(next), others: undefined, level: usualLevel(next) },
              });
            }}
            placeholder=""
            hint={t('alerts.atClose')}
          />
          <ParameterFields
            kind={output.name}
            texts={settings}
            onChange={(texts) =>
              onChange({
                ...{ settings: texts, output: withTyped(output, texts) },
                ...(typeof against === 'object' &&
                  !others && { against: withTyped(against, texts) }),
              })
            }
            wrong="settings"
          />
          <SelectField
            label={t('grid.period')}
            name="period"
            options={CHART_PERIODS.map((each, value) => ({
              value,
              label: t(`trade.period.${each}`),
            }))}
            value={CHART_PERIODS.indexOf(period)}
            onChange={(at) => onChange({ period: CHART_PERIODS[at] ?? period })}
            placeholder=""
          />
          <SelectField
            label={t('alerts.compare')}
            name="against"
            options={targets.map((each, value) => ({
              value,
              label:
                each === 'level'
                  ? t('alerts.value')
                  : each === 'price'
                    ? names.price
                    : outputText(each),
            }))}
            value={targets.findIndex((each) =>
              typeof each === 'object' && typeof against === 'object'
                ? isSame(each, against)
                : each === against,
            )}
            onChange={(at) => {
              const next = targets[at] ?? against;
              onChange({ against: next, others: othersOf(next, output) });
            }}
            placeholder=""
          />
          {typeof against === 'object' && others && (
            <ParameterFields
              kind={against.name}
              texts={others}
              onChange={(texts) => onChange({ others: texts, against: withTyped(against, texts) })}
              wrong="settings"
            />
          )}
          {against === 'level' && (
            <NumberField
              label={t('alerts.value')}
              name="level"
              text={entered.level}
              signed
              onChange={(level) => onChange({ level })}
              error={error}
            />
          )}
          <SelectField
            label={t('alerts.crossing.label')}
            name="cross"
            options={CROSSES.map((each, value) => ({ value, label: t(`alerts.crossing.${each}`) }))}
            value={CROSSES.indexOf(cross)}
            onChange={(at) => onChange({ cross: CROSSES[at] ?? cross })}
            placeholder=""
          />
        </>
      )}
      {kind === 'percent' && (
        <>
          <NumberField
            label={t('alerts.kind.percent')}
            name="change"
            text={entered.change}
            signed
            onChange={(change) => onChange({ change })}
            error={error}
          />
          <SelectField
            label={t('alerts.since.label')}
            name="window"
            options={WINDOWS.map((each, value) => ({ value, label: t(`alerts.since.${each}`) }))}
            value={WINDOWS.indexOf(window)}
            onChange={(at) => onChange({ window: WINDOWS[at] ?? window })}
            placeholder=""
          />
        </>
      )}
      {kind === 'margin' && (
        <NumberField
          label={t('alerts.marginLevel')}
          name="margin"
          text={entered.margin}
          onChange={(margin) => onChange({ margin })}
          error={error}
        />
      )}
    </>
  );
}

/** The lines that can be chosen: those of the user's indicators first, then those of all others, and the one that is chosen. */
function outputsOf(present: IndicatorOutput): IndicatorOutput[] {
  const specs = [...chosen.peek(), ...INDICATOR_KINDS.map(usualIndicator)];
  const all = specs.flatMap(({ kind: name, parameters: settings }) =>
    watchableLines(name).map((output): IndicatorOutput => ({ name, settings, output })),
  );
  return [present, ...all].filter(
    (output, at, list) => list.findIndex((each) => isSame(each, output)) === at,
  );
}

function isSame(one: IndicatorOutput, other: IndicatorOutput): boolean {
  return outputText(one) === outputText(other);
}
