import { useVirtualizer } from '@tanstack/react-virtual';
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createRoot } from 'react-dom/client';
import { begin, quoteOf, subscribe } from './store';

const STAR = 'M12 2l3 7 7 .6-5.4 4.8 1.7 7.1L12 17.6 5.7 21.5l1.7-7.1L2 9.6 9 9z';

/** What never changes is rendered once. */
const Constant = memo(function Constant({ id, name }: { id: number; name: string }) {
  const path = market.path(id);
  return (
    <>
      <span className="favour">
        <button type="button" className="star">
          <svg
            width="16"
            height="16"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
          >
            <path d={STAR} />
          </svg>
        </button>
      </span>
      <span className="label">
        <span className="mark" data-letters={`${name[0]}${name[5]}`} />
        <span className="names">
          <span className="name">
            <button type="button" className="pick">
              {name}
            </button>
          </span>
        </span>
      </span>
      <span className="chart">
        <svg className="sparkline" width="56" height="28" viewBox="0 0 56 28" data-direction="up">
          <path className="area" d={`${path}L56 28L0 28Z`} />
          <path className="line" d={path} />
        </svg>
      </span>
    </>
  );
});

const Row = memo(function Row({ instrument, top }: { instrument: Instrument; top: number }) {
  const { id, name, precision } = instrument;
  const { close, change } = useSyncExternalStore(
    useCallback((changed) => subscribe(id)(changed), [id]),
    () => quoteOf(id),
  );
  const price = useRef<HTMLSpanElement>(null);
  const last = useRef(close);
  useEffect(() => {
    if (price.current && close !== last.current) market.flash(price.current, close > last.current);
    last.current = close;
  }, [close]);
  const text = market.price(close, precision);
  return (
    <div
      className="row"
      data-direction={market.direction(change)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Constant id={id} name={name} />
      <span className="price" ref={price}>
        <span className="head">{text.slice(0, -2)}</span>
        <span className="tail">{text.slice(-2)}</span>
      </span>
      <span className="change">{market.change(change)}</span>
    </div>
  );
});

function List({ instruments }: { instruments: Instrument[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: instruments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => market.row,
  });
  return (
    <>
      <div className="top">Market</div>
      <div className="scroller" ref={scroller}>
        <div className="rows" style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const instrument = instruments[index] as Instrument;
            return <Row key={instrument.id} instrument={instrument} top={start} />;
          })}
        </div>
      </div>
    </>
  );
}

const Trade = lazy(() => import('./Trade'));

const onHash = (changed: () => void) => {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
};

function App() {
  const [instruments, setInstruments] = useState<Instrument[]>([]);
  useEffect(() => {
    void begin().then(setInstruments);
  }, []);
  const hash = useSyncExternalStore(onHash, () => location.hash);
  const [first] = instruments;
  return hash === '#/trade' && first ? (
    <Suspense>
      <Trade instrument={first} />
    </Suspense>
  ) : (
    <List instruments={instruments} />
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<App />);
