// P1 with our worker: the same rendering, without the socket on the main thread.
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { ListRow } from '#domain/market/list';
import { liveQuote, watchQuote } from '../../../../src/worker/quotes';
import type { Instrument } from '../lib/market';
import { rootElement } from '../lib/root';
import { connectWorker } from '../lib/worker';
import { type Quote, type QuoteStore, Row } from './Row';
import { Window } from './Window';

const rows = new Map<number, ListRow>();
const latest = new Map<number, Quote>();

const store: QuoteStore = {
  subscribe(id, changed) {
    const { quote, release } = watchQuote(id, liveQuote(rows.get(id) as ListRow));
    const stop = quote.subscribe((next) => {
      latest.set(id, next);
      changed();
    });
    return () => {
      stop();
      release();
    };
  },
  get: (id) => latest.get(id) ?? (rows.get(id) as ListRow).quote,
};

const loading = connectWorker().then((list) =>
  list.map((row): Instrument => {
    const { id, code, name, precision } = row.instrument;
    rows.set(id, row);
    return { id, code, name, precision, close: row.quote.close, change: row.quote.change };
  }),
);

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
