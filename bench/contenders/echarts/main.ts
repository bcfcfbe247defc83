import { BarChart, CandlestickChart } from 'echarts/charts';
import { DataZoomComponent, GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

use([BarChart, CandlestickChart, CanvasRenderer, DataZoomComponent, GridComponent]);

const [instrument] = await market.list();
if (!instrument) throw new Error('no instrument');
const root = document.getElementById('root') as HTMLElement;
root.innerHTML =
  '<div class="top">Trade</div><p id="price"></p><div id="chart" style="block-size:432px"></div>';
const price = root.querySelector('#price') as HTMLElement;
const chart = init(root.querySelector('#chart') as HTMLElement);

const bars = await market.bars(instrument);
const textOf = ({ time }: Bar) => new Date(time * 1000).toISOString().slice(11, 16);
const candleOf = ({ open, close, low, high }: Bar) => [open, close, low, high];
/** What changes with a quote, and what with a bar. */
const series = () => [
  { id: 'candles', data: bars.map(candleOf) },
  { id: 'volumes', data: bars.map(({ volume }) => volume) },
];
const axes = () => [{ data: bars.map(textOf) }, { data: bars.map(textOf) }];
chart.setOption({
  animation: false,
  grid: [
    { left: 0, right: 64, top: 8, height: 304 },
    { left: 0, right: 64, top: 328, height: 72 },
  ],
  xAxis: [{ type: 'category' }, { type: 'category', gridIndex: 1 }],
  yAxis: [
    { scale: true, position: 'right' },
    { gridIndex: 1, show: false },
  ],
  dataZoom: [{ type: 'inside', xAxisIndex: [0, 1], start: 90, end: 100 }],
  series: [
    { id: 'candles', type: 'candlestick' },
    { id: 'volumes', type: 'bar', xAxisIndex: 1, yAxisIndex: 1 },
  ],
});
chart.setOption({ xAxis: axes(), series: series() });
market.followBar(instrument, (bar) => {
  const isNew = bars.at(-1)?.time !== bar.time;
  if (!isNew) bars.pop();
  bars.push(bar);
  price.textContent = market.price(bar.close, instrument.precision);
  chart.setOption({ ...(isNew && { xAxis: axes() }), series: series() }, { lazyUpdate: true });
});
globalThis.lastClose = () => {
  const { series } = chart.getOption() as { series: { data: number[][] }[] };
  return series[0]?.data.at(-1)?.[1];
};
