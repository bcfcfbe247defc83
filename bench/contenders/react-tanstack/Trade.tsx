import { CandlestickSeries, createChart, type UTCTimestamp } from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';

const candleOf = ({ time, open, high, low, close }: Bar) => ({
  time: time as UTCTimestamp,
  open,
  high,
  low,
  close,
});

/** The price and the chart of one instrument: what the memory of an hour is compared with. */
export default function Trade({ instrument }: { instrument: Instrument }) {
  const host = useRef<HTMLDivElement>(null);
  const [close, setClose] = useState(instrument.close);
  useEffect(() => {
    const chart = createChart(host.current as HTMLElement, { autoSize: true });
    const candles = chart.addSeries(CandlestickSeries);
    let gone = false;
    void market.bars(instrument).then((bars) => {
      if (!gone) candles.setData(bars.map(candleOf));
    });
    const end = market.followBar(instrument, (bar) => {
      setClose(bar.close);
      candles.update(candleOf(bar));
    });
    return () => {
      gone = true;
      end();
      chart.remove();
    };
  }, [instrument]);
  return (
    <>
      <div className="top">{instrument.name}</div>
      <p>{market.price(close, instrument.precision)}</p>
      <div ref={host} style={{ blockSize: 400 }} />
    </>
  );
}
