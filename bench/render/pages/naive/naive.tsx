// Naive: the list is a state, and each message creates a new one.
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  directionOf,
  formatChange,
  formatPrice,
  type Instrument,
  loadInstruments,
} from '../lib/market';
import { Price, RowFrame } from '../lib/RowFrame';
import { frameInterval, ROW, rootElement } from '../lib/root';
import { followQuotes } from '../lib/socket';

function Row({ instrument, index }: { instrument: Instrument; index: number }) {
  const last = useRef(instrument.close);
  const [flash, setFlash] = useState('');
  useEffect(() => {
    if (instrument.close === last.current) return;
    setFlash(instrument.close > last.current ? 'flash-up' : 'flash-down');
    last.current = instrument.close;
    const timer = setTimeout(() => setFlash(''), 300);
    return () => clearTimeout(timer);
  }, [instrument.close]);
  return (
    <RowFrame
      instrument={instrument}
      index={index}
      direction={directionOf(instrument.change)}
      price={<Price text={formatPrice(instrument.close, instrument.precision)} />}
      change={formatChange(instrument.change)}
      flash={flash}
    />
  );
}

function App() {
  const [instruments, setInstruments] = useState<Instrument[]>([]);
  useEffect(() => {
    void loadInstruments().then((loaded) => {
      setInstruments(loaded);
      followQuotes(frameInterval, (ticks) =>
        setInstruments((before) => {
          const after = new Map(before.map((one) => [one.id, one]));
          for (const tick of ticks) {
            const known = after.get(tick.id);
            if (known) after.set(tick.id, { ...known, ...tick });
          }
          return [...after.values()];
        }),
      );
    });
  }, []);
  return (
    <>
      <div className="head">Market</div>
      <div className="scroller">
        <div className="rows" style={{ blockSize: instruments.length * ROW }}>
          {instruments.map((instrument, index) => (
            <Row key={instrument.id} instrument={instrument} index={index} />
          ))}
        </div>
      </div>
    </>
  );
}

createRoot(rootElement()).render(<App />);
