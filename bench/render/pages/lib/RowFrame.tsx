// biome-ignore-all lint/a11y/useSemanticElements: the boxes of the app, for the same geometry
// biome-ignore-all lint/a11y/useFocusableInteractive: the same
import { memo, type ReactNode, type Ref } from 'react';
import styles from '../../../../src/instruments/InstrumentRow.module.css';
import chart from '../../../../src/instruments/sparkline.module.css';
import { InstrumentMark } from '../../../../src/ui/InstrumentMark';
import { type Instrument, sparkline } from './market';

export { styles };

const Star = memo(function Star() {
  return (
    <span role="cell" className={styles.favour}>
      <button type="button" className={styles.star}>
        <svg
          width="16"
          height="16"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M12 2l3 7 7 .6-5.4 4.8 1.7 7.1L12 17.6 5.7 21.5l1.7-7.1L2 9.600 9 9z" />
        </svg>
      </button>
    </span>
  );
});

/** The constant part of a row, rendered once, as a React team would do. */
export const Constant = memo(function Constant({ id, name }: Pick<Instrument, 'id' | 'name'>) {
  const path = sparkline(id);
  return (
    <>
      <Star />
      <span role="cell" className={styles.label}>
        <InstrumentMark name={name} logo="" />
        <span className={styles.names}>
          <span className={styles.name}>
            <button type="button" className={styles.pick}>
              {name}
            </button>
          </span>
        </span>
      </span>
      <span role="cell" className={styles.chart}>
        <svg
          className={chart.sparkline}
          width="56"
          height="28"
          viewBox="0 0 56 28"
          data-direction="up"
          aria-hidden="true"
        >
          <path className={chart.area} d={`${path}L56 28L0 28Z`} />
          <path className={chart.line} d={path} />
        </svg>
      </span>
    </>
  );
});

interface RowFrameProps {
  instrument: Instrument;
  index: number;
  direction: string;
  price: ReactNode;
  change: ReactNode;
  priceRef?: Ref<HTMLSpanElement>;
  flash?: string;
}

/** The boxes of the app's row. */
export function RowFrame({
  instrument,
  index,
  direction,
  price,
  change,
  priceRef,
  flash,
}: RowFrameProps) {
  return (
    <div
      className={styles.row}
      role="row"
      aria-rowindex={index + 2}
      data-direction={direction}
      style={{ transform: `translateY(${index * 56}px)` }}
    >
      <Constant id={instrument.id} name={instrument.name} />
      <span
        role="cell"
        className={flash ? `${styles.price} ${flash}` : styles.price}
        dir="ltr"
        ref={priceRef}
      >
        {price}
      </span>
      <span role="cell" className={styles.change} dir="ltr">
        {change}
      </span>
    </div>
  );
}

export function Price({ text }: { text: string }) {
  return (
    <>
      <span className={styles.head}>{text.slice(0, -2)}</span>
      <span className={styles.tail}>{text.slice(-2)}</span>
    </>
  );
}
