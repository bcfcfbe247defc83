import { type Signal, signal, useComputed, useSignalEffect } from '@preact/signals-react';
import { useSignals } from '@preact/signals-react/runtime';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef } from 'react';
import { createRoot } from 'react-dom/client';

const STAR = 'M12 2l3 7 7 .6-5.4 4.8 1.7 7.1L12 17.6 5.7 21.5l1.7-7.1L2 9.6 9 9z';

/** What never changes is rendered once. */
const Constant = memo(function Constant({ id, name }: { id: number; name: string }) {
  const path = market.path(id);
  return (
    <>
      <span className="favour">
        <button type="button" className="star">
          <svg
            width="16"
            height="16"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
          >
            <path d={STAR} />
          </svg>
        </button>
      </span>
      <span className="label">
        <span className="mark" data-letters={`${name[0]}${name[5]}`} />
        <span className="names">
          <span className="name">
            <button type="button" className="pick">
              {name}
            </button>
          </span>
        </span>
      </span>
      <span className="chart">
        <svg className="sparkline" width="56" height="28" viewBox="0 0 56 28" data-direction="up">
          <path className="area" d={`${path}L56 28L0 28Z`} />
          <path className="line" d={path} />
        </svg>
      </span>
    </>
  );
});

interface Quote {
  close: number;
  change: number;
}
const quotes = new Map<number, Signal<Quote>>();

/** The instruments whose quotes something on the page reads. */
const shown = new Set<number>();

const Row = memo(function Row({ instrument, top }: { instrument: Instrument; top: number }) {
  useSignals();
  const { id, name, precision } = instrument;
  const quote = quotes.get(id) as Signal<Quote>;
  const text = useComputed(() => market.price(quote.value.close, precision));
  const head = useComputed(() => text.value.slice(0, -2));
  const tail = useComputed(() => text.value.slice(-2));
  const change = useComputed(() => market.change(quote.value.change));
  const direction = useComputed(() => market.direction(quote.value.change));
  const price = useRef<HTMLSpanElement>(null);
  const last = useRef(quote.peek().close);
  useSignalEffect(() => {
    const { close } = quote.value;
    if (price.current && close !== last.current) market.flash(price.current, close > last.current);
    last.current = close;
  });
  return (
    <div
      className="row"
      data-direction={direction.value}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Constant id={id} name={name} />
      <span className="price" ref={price}>
        <span className="head">{head}</span>
        <span className="tail">{tail}</span>
      </span>
      <span className="change">{change}</span>
    </div>
  );
});

function List({ instruments }: { instruments: Instrument[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: instruments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => market.row,
  });
  return (
    <>
      <div className="top">Market</div>
      <div className="scroller" ref={scroller}>
        <div className="rows" style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const instrument = instruments[index] as Instrument;
            return <Row key={instrument.id} instrument={instrument} top={start} />;
          })}
        </div>
      </div>
    </>
  );
}

const list = await market.list();
for (const { id, close, change } of list) {
  const watched = () => void shown.add(id);
  const unwatched = () => void shown.delete(id);
  quotes.set(id, signal({ close, change }, { watched, unwatched }));
}
market.follow(
  (ticks) => {
    for (const { id, close, change } of ticks) {
      const quote = quotes.get(id);
      if (quote) quote.value = { close, change };
    }
  },
  (id) => shown.has(id),
);
createRoot(document.getElementById('root') as HTMLElement).render(<List instruments={list} />);
