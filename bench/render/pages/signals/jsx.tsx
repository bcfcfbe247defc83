// {signal} in JSX with our worker: each figure is a component that renders when its signal changes.
import { computed, effect, type ReadonlySignal } from '@preact/signals-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { ListRow } from '#domain/market/list';
import { flash } from '../../../../src/instruments/flash';
import { liveQuote, watchQuote } from '../../../../src/worker/quotes';
import { directionOf, formatChange, formatPrice } from '../lib/market';
import { RowFrame, styles } from '../lib/RowFrame';
import { rootElement } from '../lib/root';
import { connectWorker } from '../lib/worker';
import { Window } from '../tanstack/Window';

interface Figures {
  head: ReadonlySignal<string>;
  tail: ReadonlySignal<string>;
  change: ReadonlySignal<string>;
  close: ReadonlySignal<number>;
  direction: ReadonlySignal<string>;
  release: () => void;
}

function figuresOf(row: ListRow): Figures {
  const { id, precision } = row.instrument;
  const { quote, release } = watchQuote(id, liveQuote(row));
  const text = computed(() => formatPrice(quote.value.close, precision));
  return {
    head: computed(() => text.value.slice(0, -2)),
    tail: computed(() => text.value.slice(-2)),
    change: computed(() => formatChange(quote.value.change)),
    close: computed(() => quote.value.close),
    direction: computed(() => directionOf(quote.value.change)),
    release,
  };
}

const Row = memo(function Row({ row, index }: { row: ListRow; index: number }) {
  const { id, code, name, precision } = row.instrument;
  const figures = useMemo(() => figuresOf(row), [row]);
  const price = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let last = figures.close.peek();
    const stopFlash = effect(() => {
      const close = figures.close.value;
      if (price.current && close !== last)
        flash(price.current, close > last ? 'flash-up' : 'flash-down');
      last = close;
    });
    const stopTrend = effect(() => {
      price.current?.parentElement?.setAttribute('data-direction', figures.direction.value);
    });
    return () => {
      stopFlash();
      stopTrend();
      figures.release();
    };
  }, [figures]);
  const { close, change } = row.quote;
  return (
    <RowFrame
      instrument={{ id, code, name, precision, close, change }}
      index={index}
      direction={figures.direction.peek()}
      price={
        <>
          <span className={styles.head}>{figures.head}</span>
          <span className={styles.tail}>{figures.tail}</span>
        </>
      }
      change={figures.change}
      priceRef={price}
    />
  );
});

const loading = connectWorker();

function App() {
  const [rows, setRows] = useState<ListRow[]>([]);
  useEffect(() => {
    void loading.then(setRows);
  }, []);
  return (
    <Window
      count={rows.length}
      row={(index) => {
        const row = rows[index];
        return row && <Row key={row.instrument.id} row={row} index={index} />;
      }}
    />
  );
}

createRoot(rootElement()).render(<App />);
