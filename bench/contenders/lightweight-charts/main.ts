import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type UTCTimestamp,
} from 'lightweight-charts';

const [instrument] = await market.list();
if (!instrument) throw new Error('no instrument');
const root = document.getElementById('root') as HTMLElement;
root.innerHTML =
  '<div class="top">Trade</div><p id="price"></p><div id="chart" style="block-size:432px"></div>';
const price = root.querySelector('#price') as HTMLElement;
const chart = createChart(root.querySelector('#chart') as HTMLElement, {
  autoSize: true,
  layout: { attributionLogo: false },
  timeScale: { timeVisible: true },
});
const candles = chart.addSeries(CandlestickSeries, {
  priceFormat: { type: 'price', ...precisionOf(instrument) },
});
const volumes = chart.addSeries(HistogramSeries, {
  priceScaleId: 'volume',
  lastValueVisible: false,
  priceLineVisible: false,
});
volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });

function precisionOf({ precision }: Instrument) {
  return { precision, minMove: 10 ** -precision };
}
const candleOf = ({ time, open, high, low, close }: Bar) => ({
  time: time as UTCTimestamp,
  open,
  high,
  low,
  close,
});
const volumeOf = ({ time, volume }: Bar) => ({ time: time as UTCTimestamp, value: volume });

const bars = await market.bars(instrument);
candles.setData(bars.map(candleOf));
volumes.setData(bars.map(volumeOf));
market.followBar(instrument, (bar) => {
  price.textContent = market.price(bar.close, instrument.precision);
  candles.update(candleOf(bar));
  volumes.update(volumeOf(bar));
});
globalThis.lastClose = () => {
  const last = candles.data().at(-1);
  return last && 'close' in last ? last.close : undefined;
};
