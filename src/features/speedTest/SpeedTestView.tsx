import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import type { ListQuery, ListRow } from '#domain/market/list';
import type { DeviceStep } from '#domain/workload/devicePlan';
import { useT } from '../../i18n/i18n';
import { InstrumentList } from '../../instruments/InstrumentList';
import { remToPx } from '../../ui/rem';
import { useMediaQuery, WIDE } from '../../ui/useMediaQuery';
import { useRow } from '../../worker/useRow';
import styles from './SpeedTest.module.css';

/** Screens of one instrument. They belong to another feature, so the app passes them in. */
export type SpeedTestScreens = Record<
  Exclude<DeviceStep['contender'], 'app'>,
  ComponentType<{ row: ListRow }>
>;

/** A query that no other list uses, so that its cached answer is not shared. */
const QUERY: ListQuery = { search: '', sort: 'default', descending: false, favourites: [] };
/** Height of a row, rem (InstrumentList). */
const ROW = 3.5;
const ROW_DENSE = 2.5;
/** Height of the order form, rem. */
const TICKET = 42;

const nothing = () => {};

interface BenchViewProps {
  step: DeviceStep;
  screens: SpeedTestScreens;
  box: RefObject<HTMLDivElement | null>;
}

/** The screen under test, at its real height, scaled down where it doesn't fit. */
export function SpeedTestView({ step, screens, box }: BenchViewProps) {
  const { contender } = step;
  const { rows } = step.workload;
  const t = useT();
  const wide = useMediaQuery(WIDE);
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => setRoom(frame.current?.clientHeight ?? 0), []);

  const rem = remToPx(1);
  const heights = {
    app: rows * (wide ? ROW_DENSE : ROW),
    'app, chart': room / rem,
    'app, ticket': TICKET,
  };
  const height = heights[contender];
  const scale = room === 0 ? 1 : Math.min(1, room / (height * rem));
  return (
    <div ref={frame} className={styles.stage} data-screen={contender} inert>
      <div
        ref={box}
        className={styles.screen}
        style={{
          blockSize: `${height}rem`,
          inlineSize: `${100 / scale}%`,
          transform: `scale(${scale})`,
        }}
      >
        {contender === 'app' ? (
          <InstrumentList
            query={QUERY}
            label={t('bench.title')}
            onPick={nothing}
            onFavour={nothing}
            onRefresh={nothing}
            empty={null}
          />
        ) : (
          <FirstInstrument Screen={screens[contender]} />
        )}
      </div>
    </div>
  );
}

/** Shows the first open instrument of the list. */
function FirstInstrument({ Screen }: { Screen: ComponentType<{ row: ListRow }> }) {
  const [code, setCode] = useState<string>();
  const row = useRow(code);
  // Keep the instrument when another one opens first.
  useEffect(() => setCode((known) => known ?? row?.instrument.code), [row]);
  return row && <Screen row={row} />;
}
