/** @jsxImportSource solid-js */
// biome-ignore-all lint/a11y/useSemanticElements: the boxes of the app, for the same geometry
// biome-ignore-all lint/a11y/useFocusableInteractive: the same
// Solid with a window of its own: a signal an instrument, text bound to it, rows that are kept while they are in sight.
import { createEffect, createMemo, createSignal, For, onMount, untrack } from 'solid-js';
import { render } from 'solid-js/web';
import { flash } from '../../../../src/instruments/flash';
import styles from '../../../../src/instruments/InstrumentRow.module.css';
import chart from '../../../../src/instruments/sparkline.module.css';
import mark from '../../../../src/ui/InstrumentMark.module.css';
import {
  directionOf,
  formatChange,
  formatPrice,
  type Instrument,
  loadInstruments,
  sparkline,
} from '../lib/market';
import { frameInterval, ROW, rootElement } from '../lib/root';
import { followQuotes } from '../lib/socket';

interface Quote {
  close: number;
  change: number;
}

interface Live extends Instrument {
  quote: () => Quote;
  setQuote: (quote: Quote) => void;
  index: number;
}

function Row(props: { live: Live }) {
  // A row belongs to one instrument permanently.
  const live = untrack(() => props.live);
  const text = createMemo(() => formatPrice(live.quote().close, live.precision));
  const change = createMemo(() => live.quote().change);
  const path = sparkline(live.id);
  let price!: HTMLSpanElement;
  createEffect((last: number) => {
    const { close } = live.quote();
    if (close !== last) flash(price, close > last ? 'flash-up' : 'flash-down');
    return close;
  }, live.quote().close);
  return (
    <div
      class={styles.row}
      role="row"
      aria-rowindex={live.index + 2}
      data-direction={directionOf(change())}
      style={{ transform: `translateY(${live.index * ROW}px)` }}
    >
      <span role="cell" class={styles.favour}>
        <button type="button" class={styles.star}>
          <svg
            width="16"
            height="16"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            aria-hidden="true"
          >
            <path d="M12 2l3 7 7 .6-5.4 4.8 1.7 7.1L12 17.6 5.7 21.5l1.700-7.1L2 9.600 9 9z" />
          </svg>
        </button>
      </span>
      <span role="cell" class={styles.label}>
        <span class={mark.mark} data-letters={`${live.name[0]}${live.name[5]}`} />
        <span class={styles.names}>
          <span class={styles.name}>
            <button type="button" class={styles.pick}>
              {live.name}
            </button>
          </span>
        </span>
      </span>
      <span role="cell" class={styles.chart}>
        <svg
          class={chart.sparkline}
          width="56"
          height="28"
          viewBox="0 0 56 28"
          data-direction="up"
          aria-hidden="true"
        >
          <path class={chart.area} d={`${path}L56 28L0 28Z`} />
          <path class={chart.line} d={path} />
        </svg>
      </span>
      <span role="cell" class={styles.price} dir="ltr" ref={price}>
        <span class={styles.head}>{text().slice(0, -2)}</span>
        <span class={styles.tail}>{text().slice(-2)}</span>
      </span>
      <span role="cell" class={styles.change} dir="ltr">
        {formatChange(change())}
      </span>
    </div>
  );
}

function App(props: { list: Live[] }) {
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(0);
  let scroller!: HTMLDivElement;
  onMount(() => new ResizeObserver(() => setHeight(scroller.clientHeight)).observe(scroller));
  const from = createMemo(() => Math.floor(top() / ROW));
  const to = createMemo(() => Math.ceil((top() + height()) / ROW));
  return (
    <>
      <div class="head">Market</div>
      <div
        class="scroller"
        ref={scroller}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        <div class="rows" style={{ 'block-size': `${props.list.length * ROW}px` }}>
          <For each={props.list.slice(from(), to())}>{(live) => <Row live={live} />}</For>
        </div>
      </div>
    </>
  );
}

async function begin(): Promise<void> {
  const list = (await loadInstruments()).map((instrument, index): Live => {
    const { close, change } = instrument;
    const [quote, setQuote] = createSignal<Quote>({ close, change });
    return { ...instrument, quote, setQuote, index };
  });
  const byId = new Map(list.map((live) => [live.id, live]));
  render(() => <App list={list} />, rootElement());
  followQuotes(frameInterval, (ticks) => {
    for (const { id, close, change } of ticks) byId.get(id)?.setQuote({ close, change });
  });
}

void begin();
