import { act } from '@testing-library/react';
import { Activity, useRef } from 'react';
import { expect, test } from 'vitest';
import type { Candles } from '#domain/market/candles';
import { watchCandles } from '../../../src/worker/candles';
import { liveQuote, watchQuote } from '../../../src/worker/quotes';
import { watchTopOfBook } from '../../../src/worker/topOfBook';
import { useQuote, useQuoteState } from '../../../src/worker/useQuote';
import { renderSettled, settle } from '../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../scriptedWorkerApi';

function Price({ id, close = 1.1 }: { id: number; close?: number }) {
  const text = useRef<HTMLSpanElement>(null);
  const row = listRow(id);
  useQuote(id, liveQuote({ ...row, quote: { ...row.quote, close } }), (quote) => {
    if (text.current) text.current.textContent = String(quote.close);
  });
  return <span ref={text} />;
}

const ids = (worker: ReturnType<typeof scriptWorkerApi>) =>
  worker.watches.map(({ instruments }) => instruments);

test('rows that come into sight together are watched by one call', async () => {
  const worker = scriptWorkerApi();
  const page = await renderSettled([1, 2, 3].map((id) => <Price key={id} id={id} />));
  expect(ids(worker)).toEqual([{ add: [1, 2, 3], remove: [] }]);
  await act(async () => page.unmount());
  expect(ids(worker).at(-1)).toEqual({ add: [], remove: [1, 2, 3] });
});

test('two readers of one instrument share one reference until both unmount', async () => {
  const worker = scriptWorkerApi();
  const page = await renderSettled([<Price key="a" id={1} />, <Price key="b" id={1} />]);
  await act(async () => page.rerender([<Price key="a" id={1} />]));
  expect(ids(worker)).toEqual([{ add: [1], remove: [] }]);
  worker.quotes(quoteNumbers(1, 1.25));
  expect(page.container.textContent).toBe('1.25');
  await act(async () => page.unmount());
  expect(ids(worker).at(-1)).toEqual({ add: [], remove: [1] });
});

test('a reader that unmounts and mounts again immediately causes no calls', async () => {
  const worker = scriptWorkerApi();
  const first = watchQuote(1, liveQuote(listRow(1)));
  await settle();
  worker.quotes(quoteNumbers(1, 1.5));
  first.release();
  const second = watchQuote(1, liveQuote(listRow(1)));
  await settle();
  expect(ids(worker)).toEqual([{ add: [1], remove: [] }]);
  expect(second.quote.peek().close).toBe(1.5);
  second.release();
  second.release();
  await settle();
});

test('a row that came and went before the worker knew of it leaves no price for the next one', async () => {
  const worker = scriptWorkerApi();
  const seed = (close: number) => liveQuote(listRow(1, { quote: { ...listRow(1).quote, close } }));
  watchQuote(1, seed(1.1)).release();
  await settle();
  expect(worker.watches).toEqual([]);
  const next = watchQuote(1, seed(1.7));
  expect(next.quote.peek().close).toBe(1.7);
  next.release();
  await settle();
});

test('a bid and ask of before, which nobody has watched since, is not shown again', () => {
  const { frame } = scriptWorkerApi();
  const painted: (number | undefined)[] = [];
  const watch = () => watchTopOfBook(1, (topOfBook) => painted.push(topOfBook?.bid));
  const end = watch();
  frame({ topsOfBook: [{ id: 1, bid: 5, ask: 6 }] });
  end();
  frame({ topsOfBook: [{ id: 1, bid: 7, ask: 8 }] });
  watch()();
  expect(painted).toEqual([undefined, 5, undefined]);
});

test('a hidden Activity stops watching, also when it renders, and watches again when it is shown', async () => {
  const worker = scriptWorkerApi();
  const screen = (mode: 'visible' | 'hidden', close: number) => (
    <Activity mode={mode}>
      <Price id={1} close={close} />
    </Activity>
  );
  const page = await renderSettled(screen('visible', 1));
  await act(async () => page.rerender(screen('hidden', 1)));
  expect(ids(worker)).toEqual([
    { add: [1], remove: [] },
    { add: [], remove: [1] },
  ]);
  await act(async () => page.rerender(screen('hidden', 2)));
  await settle();
  expect(worker.watches).toHaveLength(2);
  await act(async () => page.rerender(screen('visible', 3)));
  expect(ids(worker).at(-1)).toEqual({ add: [1], remove: [] });
  expect(page.container.textContent).toBe('3');
  await act(async () => page.unmount());
});

test('a component that reads a part of a quote renders only when that part changes', async () => {
  const worker = scriptWorkerApi();
  let renders = 0;
  function Open() {
    renders++;
    return useQuoteState(1, liveQuote(listRow(1)), (quote) => quote.marketOpen) ? 'open' : 'closed';
  }
  const page = await renderSettled(<Open />);
  const before = renders;
  await act(async () => worker.quotes(quoteNumbers(1, 1.3)));
  expect(renders).toBe(before);
  await act(async () => worker.quotes(quoteNumbers(1, 1.3, { flags: 0 })));
  expect(page.container.textContent).toBe('closed');
  await act(async () => page.unmount());
});

test('each chart gets all bars, also if another one has them already', async () => {
  const worker = scriptWorkerApi();
  const key = { instrumentId: 1, period: '5min' } as const;
  const received: string[] = [];
  const first = watchCandles(key, ({ change }) => received.push(`first ${change}`));
  await settle();
  const second = watchCandles(key, ({ change }) => received.push(`second ${change}`));
  await settle();
  expect(worker.watches.map(({ candles }) => candles)).toEqual([
    { add: [key], remove: [] },
    { add: [key], remove: [key] },
  ]);
  worker.frame({
    candles: [{ ...key, change: 'replace', bars: new Float64Array(), more: false }],
  });
  expect(received).toEqual(['first replace', 'second replace']);
  first();
  first();
  await settle();
  expect(worker.watches).toHaveLength(2);
  second();
  await settle();
  expect(worker.watches.at(-1)?.candles).toEqual({ add: [], remove: [key] });
});

test('what a practice session plays is not asked for, and comes all the same', async () => {
  const worker = scriptWorkerApi();
  const page = await renderSettled([<Price key="a" id={-1} />, <Price key="b" id={2} />]);
  const bars: Candles[] = [];
  const key = { instrumentId: -1, period: '1min' } as const;
  const end = watchCandles(key, (candles) => bars.push(candles));
  await settle();
  expect(worker.watches).toEqual([{ instruments: { add: [2], remove: [] } }]);
  worker.quotes(quoteNumbers(-1, 1.25));
  const played: Candles = { ...key, change: 'replace', bars: new Float64Array(6), more: false };
  worker.frame({ candles: [played] });
  expect(page.container.textContent).toBe('1.251.1');
  expect(bars).toEqual([played]);
  end();
  await act(async () => page.unmount());
  expect(worker.watches.slice(1)).toEqual([{ instruments: { add: [], remove: [2] } }]);
});
