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
