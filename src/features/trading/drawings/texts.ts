import { toDecimal, toNumber } from '#domain/core/decimal';
import { formatAmount, formatPrice, formatRate, isolated } from '../../../i18n/format';
import { t } from '../../../i18n/i18n';
import type { ChartClock } from '../chart/chartClock';
import type { Anchor, Drawing } from './drawing';
import { FIBONACCI } from './geometry';
import { type BarTimes, levelPrice, measured } from './place';

/** A price as it is shown. */
export function shownPrice(price: string, precision: number): string {
  return formatPrice(toNumber(toDecimal(price)), precision);
}

/** What is written beside a drawing, in the order of its labels. */
export function textsOf(
  { kind, anchors, text }: Drawing,
  times: BarTimes,
  precision: number,
): readonly string[] {
  const [from, to] = anchors;
  if (kind === 'text') return [text];
  if (kind === 'horizontal' && from) return [shownPrice(from.price, precision)];
  if (kind === 'measure' && from && to) return [measuredText(from, to, times, precision)];
  if (kind !== 'fibonacci' || !from || !to) return [];
  return FIBONACCI.map((level) => {
    const price = levelPrice(from, to, level, precision);
    return price === undefined ? '' : `${level} ${isolated(shownPrice(price, precision))}`;
  });
}

function measuredText(from: Anchor, to: Anchor, times: BarTimes, precision: number): string {
  const { bars, difference, percent } = measured(from, to, times);
  return t('trade.draw.measured', {
    count: Math.abs(bars),
    difference: isolated(formatAmount(difference, precision, 'always')),
    percent: isolated(formatRate(percent, 2, 'always')),
  });
}

/** What a drawing is called in lists and by screen readers. */
export function nameOf({ kind, text }: Pick<Drawing, 'kind' | 'text'>): string {
  return kind === 'text'
    ? `${t('trade.draw.kind.text')} ${isolated(text)}`
    : t(`trade.draw.kind.${kind}`);
}

/** Where a drawing is. */
export function placeOf({ kind, anchors }: Drawing, clock: ChartClock, precision: number): string {
  const [first, last = first] = [anchors[0], anchors[1]];
  if (!first || !last) return '';
  const time = ({ time }: Anchor) => isolated(clock.full(time));
  const price = ({ price }: Anchor) => isolated(shownPrice(price, precision));
  if (kind === 'horizontal') return price(first);
  if (kind === 'vertical') return time(first);
  if (kind === 'text') return t('trade.draw.at', { price: price(first), time: time(first) });
  return t('trade.draw.fromTo', {
    from: t('trade.draw.at', { price: price(first), time: time(first) }),
    to: t('trade.draw.at', { price: price(last), time: time(last) }),
  });
}
