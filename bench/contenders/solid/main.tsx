import { createVirtualizer } from '@tanstack/solid-virtual';
import { batch, createEffect, createMemo, createSignal, For, onCleanup } from 'solid-js';
import { render } from 'solid-js/web';

interface Live {
  instrument: Instrument;
  quote: () => { close: number; change: number };
  setQuote: (quote: { close: number; change: number }) => void;
}

/** The instruments whose rows are on the page. */
const shown = new Set<number>();

function Row(props: { live: Live; top: number }) {
  const { instrument, quote } = props.live;
  const { id, name, precision } = instrument;
  shown.add(id);
  onCleanup(() => shown.delete(id));
  const text = createMemo(() => market.price(quote().close, precision));
  const path = market.path(id);
  let price!: HTMLSpanElement;
  createEffect((last: number) => {
    const { close } = quote();
    if (close !== last) market.flash(price, close > last);
    return close;
  }, quote().close);
  return (
    <div
      class="row"
      data-direction={market.direction(quote().change)}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <span class="favour">
        <button type="button" class="star">
          <svg
            width="16"
            height="16"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
          >
            <path d="M12 2l3 7 7 .6-5.4 4.8 1.7 7.1L12 17.6 5.7 21.5l1.7-7.1L2 9.6 9 9z" />
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
        <span class="head">{text().slice(0, -2)}</span>
        <span class="tail">{text().slice(-2)}</span>
      </span>
      <span class="change">{market.change(quote().change)}</span>
    </div>
  );
}

function List(props: { list: Live[] }) {
  let scroller!: HTMLDivElement;
  const virtualizer = createVirtualizer({
    get count() {
      return props.list.length;
    },
    getScrollElement: () => scroller,
    estimateSize: () => market.row,
  });
  return (
    <>
      <div class="top">Market</div>
      <div class="scroller" ref={scroller}>
        <div class="rows" style={{ 'block-size': `${virtualizer.getTotalSize()}px` }}>
          <For each={virtualizer.getVirtualItems()}>
            {(item) => <Row live={props.list[item.index] as Live} top={item.start} />}
          </For>
        </div>
      </div>
    </>
  );
}

const list = (await market.list()).map((instrument): Live => {
  const [quote, setQuote] = createSignal<{ close: number; change: number }>(instrument);
  return { instrument, quote, setQuote };
});
const byId = new Map(list.map((live) => [live.instrument.id, live]));
market.follow(
  (ticks) =>
    batch(() => {
      for (const { id, close, change } of ticks) byId.get(id)?.setQuote({ close, change });
    }),
  (id) => shown.has(id),
);
render(() => <List list={list} />, document.getElementById('root') as HTMLElement);
