// P1: the choice of a good React team. TanStack Virtual, memoised rows, useSyncExternalStore,
// batching.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { formatPrice, type Instrument, loadInstruments } from '../lib/market';
import { frameInterval, rootElement } from '../lib/root';
import { followQuotes } from '../lib/socket';
import { createBarChart } from '../trade/chart';
import { type Quote, type QuoteStore, Row } from './Row';
import { Window } from './Window';

interface Entry {
  quote: Quote;
  listeners: Set<() => void>;
}

const byId = new Map<number, Entry>();

const store: QuoteStore = {
  subscribe(id, changed) {
    const listeners = byId.get(id)?.listeners;
    listeners?.add(changed);
    return () => listeners?.delete(changed);
  },
  get: (id) => (byId.get(id) as Entry).quote,
};

async function begin(): Promise<Instrument[]> {
  const instruments = await loadInstruments();
  for (const { id, close, change } of instruments) {
    byId.set(id, { quote: { close, change }, listeners: new Set() });
  }
  followQuotes(frameInterval, (ticks) => {
    for (const { id, close, change } of ticks) {
      const entry = byId.get(id);
      if (!entry) continue;
      entry.quote = { close, change };
      for (const changed of entry.listeners) changed();
    }
  });
  return instruments;
}

const loading = begin();

const onHash = (changed: () => void) => {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
};

/** What the app shows at the same address: the price of one instrument and its chart. */
function Trade({ instrument }: { instrument: Instrument }) {
  const { id, precision } = instrument;
  const host = useRef<HTMLDivElement>(null);
  const subscribe = useRef((changed: () => void) => store.subscribe(id, changed)).current;
  const { close } = useSyncExternalStore(subscribe, () => store.get(id));
  const chart = useRef<Awaited<ReturnType<typeof createBarChart>>>(undefined);
  useEffect(() => {
    const made = createBarChart(host.current as HTMLElement, instrument);
    void made.then((drawn) => {
      chart.current = drawn;
    });
    return () => {
      chart.current = undefined;
      void made.then((drawn) => drawn.remove());
    };
  }, [instrument]);
  const bar = useRef({ time: 0, open: close, high: close, low: close });
  useEffect(() => {
    const time = Math.floor(Date.now() / 60_000) * 60;
    const { current } = bar;
    if (current.time < time) Object.assign(current, { time, open: close, high: close, low: close });
    current.high = Math.max(current.high, close);
    current.low = Math.min(current.low, close);
    chart.current?.update(time, current.open, current.high, current.low, close, 1);
  }, [close]);
  return (
    <>
      <div className="head">{instrument.name}</div>
      <p>{formatPrice(close, precision)}</p>
      <div ref={host} style={{ blockSize: 400 }} />
    </>
  );
}

function App() {
  const [instruments, setInstruments] = useState<Instrument[]>([]);
  useEffect(() => {
    void loading.then(setInstruments);
  }, []);
  const hash = useSyncExternalStore(onHash, () => location.hash);
  if (hash === '#/trade' && instruments[0]) return <Trade instrument={instruments[0]} />;
  return (
    <Window
      count={instruments.length}
      row={(index) => {
        const instrument = instruments[index];
        return (
          instrument && (
            <Row key={instrument.id} instrument={instrument} index={index} store={store} />
          )
        );
      }}
    />
  );
}

createRoot(rootElement()).render(<App />);
