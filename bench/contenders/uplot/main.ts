import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const [instrument] = await market.list();
if (!instrument) throw new Error('no instrument');
const root = document.getElementById('root') as HTMLElement;
root.innerHTML = '<div class="top">Trade</div><p id="price"></p><div id="chart"></div>';
const price = root.querySelector('#price') as HTMLElement;
const host = root.querySelector('#chart') as HTMLElement;

const bars = await market.bars(instrument);
const columns: [number[], number[], number[], number[], number[], number[]] = [
  bars.map(({ time }) => time),
  bars.map(({ open }) => open),
  bars.map(({ high }) => high),
  bars.map(({ low }) => low),
  bars.map(({ close }) => close),
  bars.map(({ volume }) => volume),
];

/** Candles and volumes, as in its demo of candlesticks. */
function candles(): uPlot.Plugin {
  function draw(plot: uPlot): void {
    const { ctx } = plot;
    const [times, opens, highs, lows, closes, volumes] = columns;
    const [from, to] = plot.series[0]?.idxs ?? [0, 0];
    const width = Math.max(1, Math.floor(plot.bbox.width / (to - from + 1) / 2));
    const bottom = plot.bbox.top + plot.bbox.height;
    const most = Math.max(...volumes.slice(from, to + 1));
    for (let at = from; at <= to; at++) {
      const [open, high, low, close] = [opens, highs, lows, closes].map((column) =>
        plot.valToPos(column[at] as number, 'y', true),
      ) as [number, number, number, number];
      const x = plot.valToPos(times[at] as number, 'x', true);
      ctx.fillStyle = close > open ? '#d33a4a' : '#0b8f5c';
      ctx.fillRect(x - 0.5, high, 1, low - high);
      ctx.fillRect(
        x - width / 2,
        Math.min(open, close),
        width,
        Math.max(1, Math.abs(open - close)),
      );
      const tall = ((volumes[at] as number) / most) * plot.bbox.height * 0.18;
      ctx.fillRect(x - width / 2, bottom - tall, width, tall);
    }
  }
  return { hooks: { draw } };
}

const options: uPlot.Options = {
  width: host.clientWidth,
  height: 400,
  plugins: [candles()],
  legend: { show: false },
  axes: [{ values: '{HH}:{mm}' }, { side: 1, size: 64 }],
  scales: {
    x: { range: (_, __, max) => [max - 50 * 60, max + 6 * 60] },
    y: {
      range: (plot) => {
        const [from, to] = plot.series[0]?.idxs ?? [0, 0];
        const [low, high] = [columns[3].slice(from, to + 1), columns[2].slice(from, to + 1)];
        return uPlot.rangeNum(Math.min(...low), Math.max(...high), 0.1, true);
      },
    },
  },
  series: [
    {},
    ...['open', 'high', 'low', 'close'].map(() => ({ paths: () => null, points: { show: false } })),
    { show: false },
  ],
};
const plot = new uPlot(options, columns, host);

market.followBar(instrument, (bar) => {
  const values = [bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume];
  const isNew = columns[0].at(-1) !== bar.time;
  for (const [index, column] of columns.entries()) {
    if (!isNew) column.pop();
    column.push(values[index] as number);
  }
  price.textContent = market.price(bar.close, instrument.precision);
  plot.setData(columns);
});
globalThis.lastClose = () => plot.data[4]?.at(-1) ?? undefined;
