import { HeikinAshi } from '#domain/market/heikinAshi';
import { barStart, type ChartPeriod, isOfDays } from '#domain/market/kline';
import type { TopOfBook } from '#domain/market/topOfBook';
import type { BarList } from '../barList';
import type { ChartType } from '../chartSettings';
import type { ChartStyle, Stage } from '../chartStyle';
import { BAR_STYLES, drawBase } from './barStyles';
import type { Compared } from './compare';

export interface ChartStyleOptions {
  type: ChartType;
  period: ChartPeriod;
  /** Lines where a day of the market begins (domain.md#session-breaks). */
  breaks: boolean;
  countdown: (() => string | undefined) | undefined;
  /** Bid and ask, where their lines are drawn. */
  book: (() => TopOfBook | undefined) | undefined;
  compared: Compared | undefined;
  formatPercent: (percent: number) => string;
}

/** Draws what the user has chosen in the settings of the chart. */
export function createChartStyle(options: ChartStyleOptions): ChartStyle {
  const { type, period, compared, countdown, book, formatPercent } = options;
  const style = type === 'candles' ? undefined : BAR_STYLES[type];
  const heikinAshi = type === 'heikin-ashi' ? new HeikinAshi() : undefined;
  const reader = (bars: BarList) => (index: number) => heikinAshi?.at(index) ?? bars.at(index);
  const breaks = options.breaks && !isOfDays(period);
  return {
    hidesCandles: style !== undefined,
    countdown,
    formatPercent,
    changed: (bars, from) => heikinAshi?.follow(bars, from),
    shown: (index) => heikinAshi?.at(index),
    note(bar, first) {
      const percent = compared?.percentAt(bar.time, first.time);
      return percent === undefined ? undefined : `${compared?.name} ${formatPercent(percent)}`;
    },
    range: (bars, from, to) => compared?.range(bars, from, to),
    drawBelow(stage) {
      if (breaks) drawBreaks(stage);
      const base = stage.bars.at(stage.from);
      if (type === 'baseline' && base) drawBase(stage, stage.y(base.close));
    },
    draw(stage) {
      const to = Math.min(stage.to, stage.moving);
      const from = Math.max(0, stage.from - 1);
      style?.draw(stage, from, to, reader(stage.bars));
      compared?.draw(stage, stage.from, to);
    },
    drawEnd(stage) {
      const { moving } = stage;
      const from = Math.max(0, moving - 1);
      if (stage.to > moving) {
        style?.draw(stage, style.joined ? from : moving, moving + 1, reader(stage.bars));
        compared?.draw(stage, from, moving + 1);
      }
      compared?.drawName(stage);
      const { bid, ask } = book?.() ?? {};
      if (bid) drawPrice(stage, bid, stage.colours.down);
      if (ask) drawPrice(stage, ask, stage.colours.up);
    },
  };
}

/** A line from edge to edge, in the colour of the button that trades at its price. */
function drawPrice({ context, width, ratio, y }: Stage, price: number, colour: string): void {
  const thick = Math.max(1, Math.floor(ratio));
  const height = Math.round(y(price)) + (thick % 2) / 2;
  context.strokeStyle = colour;
  context.lineWidth = thick;
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(0, height);
  context.lineTo(width, height);
  context.stroke();
}

/** A dashed line in front of the first bar of each day. */
function drawBreaks(stage: Stage): void {
  const { context, bars, height, spacing, ratio, colours } = stage;
  const thick = Math.max(1, Math.floor(ratio));
  context.strokeStyle = colours.line;
  context.lineWidth = thick;
  context.setLineDash([4 * ratio, 4 * ratio]);
  context.beginPath();
  for (let index = Math.max(1, stage.from); index < stage.to; index++) {
    const bar = bars.at(index);
    const before = bars.at(index - 1);
    if (!bar || !before || barStart('1day', bar.time) === barStart('1day', before.time)) continue;
    const x = Math.round(stage.x(index) - spacing / 2) + (thick % 2) / 2;
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  context.stroke();
  context.setLineDash([]);
}
