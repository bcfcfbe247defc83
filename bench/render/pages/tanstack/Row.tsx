import { memo, useEffect, useRef, useSyncExternalStore } from 'react';
import { flash } from '../../../../src/instruments/flash';
import { directionOf, formatChange, formatPrice, type Instrument } from '../lib/market';
import { Price, RowFrame } from '../lib/RowFrame';

export interface Quote {
  close: number;
  change: number;
}

/** Source of a row's quotes: one subscription for each row, the same object until it changes. */
export interface QuoteStore {
  subscribe(id: number, changed: () => void): () => void;
  get(id: number): Quote;
}

interface RowProps {
  instrument: Instrument;
  index: number;
  store: QuoteStore;
}

/**
 * A memoised row that renders when its own quote has changed. The flash is a class and needs no
 * render.
 */
export const Row = memo(function Row({ instrument, index, store }: RowProps) {
  const { id } = instrument;
  const subscribe = useRef((changed: () => void) => store.subscribe(id, changed)).current;
  const { close, change } = useSyncExternalStore(subscribe, () => store.get(id));
  const price = useRef<HTMLSpanElement>(null);
  const last = useRef(close);
  useEffect(() => {
    if (price.current && close !== last.current)
      flash(price.current, close > last.current ? 'flash-up' : 'flash-down');
    last.current = close;
  }, [close]);
  return (
    <RowFrame
      instrument={instrument}
      index={index}
      direction={directionOf(change)}
      price={<Price text={formatPrice(close, instrument.precision)} />}
      change={formatChange(change)}
      priceRef={price}
    />
  );
});
