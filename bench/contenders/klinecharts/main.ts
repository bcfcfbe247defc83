import { init } from 'klinecharts';

const [instrument] = await market.list();
if (!instrument) throw new Error('no instrument');
const root = document.getElementById('root') as HTMLElement;
root.innerHTML =
  '<div class="top">Trade</div><p id="price"></p><div id="chart" style="block-size:432px"></div>';
const price = root.querySelector('#price') as HTMLElement;
const chart = init(root.querySelector('#chart') as HTMLElement);
if (!chart) throw new Error('no chart');

const lineOf = ({ time, ...bar }: Bar) => ({ timestamp: time * 1000, ...bar });
chart.setSymbol({
  ticker: instrument.code,
  pricePrecision: instrument.precision,
  volumePrecision: 0,
});
chart.setPeriod({ type: 'minute', span: 1 });
chart.createIndicator({ name: 'VOL', calcParams: [] });
chart.setStyles({
  candle: { tooltip: { showRule: 'none' } },
  indicator: { tooltip: { showRule: 'none' } },
});
chart.setDataLoader({
  getBars: ({ callback }) =>
    void market.bars(instrument).then((bars) => callback(bars.map(lineOf), false)),
  subscribeBar: ({ callback }) =>
    market.followBar(instrument, (bar) => {
      price.textContent = market.price(bar.close, instrument.precision);
      callback(lineOf(bar));
    }),
});
globalThis.lastClose = () => chart.getDataList().at(-1)?.close;
