// klinecharts as documented: its subscription passes on each change.
import { init, type KLineData } from 'klinecharts';
import type { Bar } from '#domain/market/kline';
import { host, movingBar } from './lastBar';

let update: (data: KLineData) => void = () => {};
const toData = ({ time, ...bar }: Bar): KLineData => ({ timestamp: time * 1000, ...bar });
const { bars, last } = movingBar((bar) => update(toData(bar)));
const chart = init(host());
chart?.setSymbol({ ticker: 'EURUSD', pricePrecision: 5, volumePrecision: 0 });
chart?.setPeriod({ type: 'minute', span: 1 });
chart?.createIndicator('VOL');
chart?.setDataLoader({
  getBars: ({ type, callback }) => callback(type === 'init' ? bars.map(toData) : [], false),
  subscribeBar: ({ callback }) => {
    update = callback;
  },
});
window.benchGap = () => Math.abs((chart?.getDataList().at(-1)?.close ?? Number.NaN) - last.close);
