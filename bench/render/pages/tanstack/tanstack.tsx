// P1: the choice of a good React team. TanStack Virtual, memoised rows, useSyncExternalStore,
// batching.
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Instrument, loadInstruments } from '../lib/market';
import { frameInterval, rootElement } from '../lib/root';
import { followQuotes } from '../lib/socket';
import { type Quote, type QuoteStore, Row } from './Row';
import { Window } from './Window';

interface Entry {
  quote: Quote;
  listeners: Set<() => void>;
}

const byId = new Map<number, Entry>();
const byCode = new Map<string, Entry>();

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
  for (const { id, code, close, change } of instruments) {
    const entry: Entry = { quote: { close, change }, listeners: new Set() };
    byId.set(id, entry);
    byCode.set(code, entry);
  }
  followQuotes(frameInterval, (ticks) => {
    for (const { Code, Close, Change } of ticks) {
      const entry = byCode.get(Code);
      if (!entry) continue;
      entry.quote = { close: Number(Close), change: Number(Change) };
      for (const changed of entry.listeners) changed();
    }
  });
  return instruments;
}

const loading = begin();

function App() {
  const [instruments, setInstruments] = useState<Instrument[]>([]);
  useEffect(() => {
    void loading.then(setInstruments);
  }, []);
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
