import { type Signal, signal, useComputed, useSignalEffect } from '@preact/signals';
import { useVirtualizer } from '@tanstack/react-virtual';
import { render } from 'preact';
import { useRef } from 'preact/hooks';

const STAR = 'M12 2l3 7 7 .6-5.4 4.8 1.7 7.1L12 17.6 5.7 21.5l1.7-7.1L2 9.6 9 9z';

interface Quote {
  close: number;
  change: number;
}
const quotes = new Map<number, Signal<Quote>>();

/** The instruments whose quotes something on the page reads. */
const shown = new Set<number>();

function Row({ instrument, top }: { instrument: Instrument; top: number }) {
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
  const path = market.path(id);
  return (
    <div class="row" data-direction={direction} style={{ transform: `translateY(${top}px)` }}>
      <span class="favour">
        <button type="button" class="star">
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
      <span class="label">
        <span class="mark" data-letters={`${name[0]}${name[5]}`} />
        <span class="names">
          <span class="name">
            <button type="button" class="pick">
              {name}
            </button>
          </span>
        </span>
      </span>
      <span class="chart">
        <svg class="sparkline" width="56" height="28" viewBox="0 0 56 28" data-direction="up">
          <path class="area" d={`${path}L56 28L0 28Z`} />
          <path class="line" d={path} />
        </svg>
      </span>
      <span class="price" ref={price}>
        <span class="head">{head}</span>
        <span class="tail">{tail}</span>
      </span>
      <span class="change">{change}</span>
    </div>
  );
}

function List({ instruments }: { instruments: Instrument[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: instruments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => market.row,
  });
  return (
    <>
      <div class="top">Market</div>
      <div class="scroller" ref={scroller}>
        <div class="rows" style={{ blockSize: `${virtualizer.getTotalSize()}px` }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const instrument = instruments[index] as Instrument;
            return <Row key={instrument.id} instrument={instrument} top={start} />;
          })}
        </div>
      </div>
    </>
  );
}

const instruments = await market.list();
for (const { id, close, change } of instruments) {
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
render(<List instruments={instruments} />, document.getElementById('root') as HTMLElement);
