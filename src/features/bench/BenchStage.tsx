import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ListQuery } from '#domain/gateway';
import { useT } from '../../i18n/i18n';
import { InstrumentList } from '../../instruments/InstrumentList';
import { useMediaQuery, WIDE } from '../../ui/useMediaQuery';
import styles from './Bench.module.css';

/** A question that no other list asks: its answers are not taken for one of theirs. */
const QUERY: ListQuery = { search: '', sort: 'default', descending: false, favourites: [] };
/** Of a row, rem (InstrumentList). */
const ROW = 3.5;
const ROW_DENSE = 2.5;

const nothing = () => {};

/** The app's own list with as many rows in sight as were asked for, made small where they don't fit. */
export function BenchStage({ rows, box }: { rows: number; box: RefObject<HTMLDivElement | null> }) {
  const t = useT();
  const wide = useMediaQuery(WIDE);
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => setRoom(frame.current?.clientHeight ?? 0), []);

  const height = rows * (wide ? ROW_DENSE : ROW);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const scale = room === 0 ? 1 : Math.min(1, room / (height * rem));
  return (
    <div ref={frame} className={styles.stage} inert>
      <div
        ref={box}
        className={styles.list}
        style={{
          blockSize: `${height}rem`,
          inlineSize: `${100 / scale}%`,
          transform: `scale(${scale})`,
        }}
      >
        <InstrumentList
          query={QUERY}
          label={t('bench.title')}
          onPick={nothing}
          onRefresh={nothing}
          empty={null}
        />
      </div>
    </div>
  );
}
