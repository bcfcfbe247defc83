import { type Decimal, parseDecimal, toNumber, ZERO } from '#domain/core/decimal';
import { INDICATORS } from '#domain/indicators/catalogue';
import type { Alert } from '#domain/trading/alert';
import type { IndicatorCondition, IndicatorOutput } from '#domain/trading/condition';
import {
  formatExact,
  formatExactRate,
  formatPercent,
  formatPrice,
  formatRate,
  isolated,
} from '../i18n/format';
import { t } from '../i18n/i18n';
import { lineName, shortOf } from '../instruments/indicatorText';

/** A level with all digits that it was set with. */
export const exactLevel = (level: number): Decimal => parseDecimal(level) ?? ZERO;

const SIGN = { up: 'alerts.up', down: 'alerts.down', any: 'alerts.any' } as const;

/** As `BB 20 2 upper`. */
export function outputText({ name, settings, output }: IndicatorOutput): string {
  const short = shortOf({ kind: name, parameters: settings });
  return INDICATORS[name].lines.length > 1 ? `${short} ${lineName(output)}` : short;
}

function indicatorText(condition: IndicatorCondition): string {
  const { level, other, period, cross } = condition;
  const own = isolated(outputText(condition));
  const price = t('trade.preview.price');
  const [name, against] =
    other === 'price'
      ? [price, own]
      : [own, isolated(other ? outputText(other) : formatExact(exactLevel(level ?? 0)))];
  return `${t(SIGN[cross], { name, level: against })} · ${isolated(t(`trade.period.${period}`))}`;
}

/** What an alert is on, as lists and notices say it. */
export function conditionText({ condition, above, price, precision }: Alert): string {
  switch (condition.kind) {
    case 'price':
      return t(above ? 'alerts.rise' : 'alerts.fall', {
        price: formatPrice(toNumber(price), precision),
      });
    case 'indicator':
      return indicatorText(condition);
    case 'line':
      return t('alerts.line');
    case 'percent': {
      const change = exactLevel(condition.change);
      const text = formatRate(change, Math.max(2, change.scale), 'always');
      return t(`alerts.changeSince.${condition.window}`, { change: isolated(text) });
    }
    case 'margin':
      return t(above ? 'alerts.up' : 'alerts.down', {
        name: t('account.marginLevel'),
        level: formatExactRate(exactLevel(condition.level)),
      });
  }
}

/** The price, or the margin level, at which an alert has triggered. */
export function triggerText({ condition, triggerPrice, precision }: Alert): string {
  const value = toNumber(triggerPrice);
  return condition.kind === 'margin' ? formatPercent(value / 100) : formatPrice(value, precision);
}
