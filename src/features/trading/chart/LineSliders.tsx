import { type KeyboardEvent, useRef, useState } from 'react';
import { formatPrice } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import styles from './Chart.module.css';
import type { LiveChart } from './liveChart';
import type { ChartLine } from './orderLines';

/** A long step with Shift, px. */
const LONG_PX = 16;
const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 };
const OTHERS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

interface LineSlidersProps {
  live: LiveChart;
  lines: readonly ChartLine[];
  precision: number;
  /** As after a press of what the line tells. */
  onOrders(orders: readonly number[]): void;
}

/**
 * The lines of orders for the keyboard, one stop of the Tab key, visible while it has the focus: up
 * and down move a line by the smallest step of the price, left and right go to another, Enter sets
 * it, Escape puts it back (screens.md#order-lines).
 */
export function LineSliders({ live, lines, precision, onOrders }: LineSlidersProps) {
  const t = useT();
  const group = useRef<HTMLFieldSetElement>(null);
  const [current, setCurrent] = useState(0);
  const [moved, setMoved] = useState<{ id: string; price: number }>();
  if (lines.length === 0) return null;
  const reachable = Math.min(current, lines.length - 1);

  const show = (id: string, price: number | undefined) => {
    setMoved(price === undefined ? undefined : { id, price });
    live.space.peek()?.moveLine(id, price);
  };
  const long = () => {
    const space = live.space.peek();
    const [one, other] = [space?.priceAt(0), space?.priceAt(LONG_PX)];
    const steps = one === undefined || other === undefined ? 0 : (one - other) * 10 ** precision;
    return Math.max(10, Math.round(Math.abs(steps)));
  };
  const onKeyDown = (event: KeyboardEvent, line: ChartLine, index: number) => {
    const { id, price, orders, fixed } = line;
    const step = STEPS[event.key];
    const other = OTHERS[event.key];
    const at = moved?.id === id ? moved.price : price;
    if (step !== undefined && !fixed) {
      const units = Math.round(at * 10 ** precision) + step * (event.shiftKey ? long() : 1);
      if (units > 0) show(id, Number((units / 10 ** precision).toFixed(precision)));
    } else if (other !== undefined) {
      const next = (index + other + lines.length) % lines.length;
      setCurrent(next);
      group.current?.querySelectorAll<HTMLElement>('[role=slider]')[next]?.focus();
    } else if (event.key === 'Enter' && moved?.id === id) {
      setMoved(undefined);
      live.space.peek()?.dropLine(id, at);
    } else if (event.key === 'Enter' && orders.length > 0) onOrders(orders);
    else if (event.key === 'Escape' && moved) show(id, undefined);
    else return;
    event.preventDefault();
  };
  return (
    <fieldset ref={group} className={styles.sliders} aria-label={t('trade.line.all')}>
      {lines.map((line, index) => {
        const price = moved?.id === line.id ? moved.price : line.price;
        return (
          <div
            key={line.id}
            className={styles.slider}
            role="slider"
            tabIndex={index === reachable ? 0 : -1}
            aria-orientation="vertical"
            aria-label={line.label}
            aria-valuenow={price}
            aria-valuetext={formatPrice(price, precision)}
            aria-description={t('trade.line.keys')}
            onKeyDown={(event) => onKeyDown(event, line, index)}
            onBlur={() => moved?.id === line.id && show(line.id, undefined)}
          >
            <bdi>{line.label}</bdi> <bdi>{formatPrice(price, precision)}</bdi>
          </div>
        );
      })}
    </fieldset>
  );
}
