import { useRef } from 'react';
import {
  add,
  compare,
  decimal,
  parseDecimal,
  sign,
  subtract,
  toFixed,
  toNumber,
  ZERO,
} from '#domain/core/decimal';
import type { StoppedPosition } from '#domain/trading/stops';
import { formatAmount, formatPrice } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { readTyped, writeTyped } from '../i18n/typed';
import { Checkbox } from '../ui/Checkbox';
import { NumberField } from '../ui/NumberField';
import styles from './StopField.module.css';
import {
  inUnit,
  readStop,
  STOP_UNITS,
  type StopEntry,
  type StopKind,
  type StopUnit,
  stopStep,
} from './stopEntry';

interface StopFieldProps {
  kind: StopKind;
  entry: StopEntry;
  onChange(entry: StopEntry): void;
  /** What the stop is computed from; undefined while margin or price is unknown. */
  position: StoppedPosition | undefined;
  error?: string | undefined;
}

/**
 * A stop with its checkbox (domain.md#stop-entry): entered in one form, shown in the two others.
 */
export function StopField({ kind, entry, onChange, position, error }: StopFieldProps) {
  const t = useT();
  // A stop that the user adds waits for its price.
  const added = useRef(false);
  const forms = readStop(entry, kind, position);
  const shown: Record<StopUnit, string | undefined> = {
    price: forms && position && formatPrice(toNumber(forms.price), position.precision),
    profit: forms && `${formatAmount(forms.profit, 2, 'always')} USD`,
    percent: forms?.percent && `${formatAmount(forms.percent, 2, 'always')} %`,
  };
  const others = STOP_UNITS.filter((unit) => unit !== entry.unit).map((unit) => shown[unit]);

  const step = (direction: 1 | -1) => {
    const inPrice = entry.unit === 'price' ? position : undefined;
    if (entry.unit === 'price' && !inPrice) return;
    const value = parseDecimal(readTyped(entry.text)) ?? inPrice?.price ?? ZERO;
    const size = inPrice ? stopStep(inPrice.price, inPrice.precision) : decimal(1n);
    const next = direction > 0 ? add(value, size) : subtract(value, size);
    if (inPrice && compare(next, ZERO) <= 0) return;
    const plus = entry.text.trim().startsWith('+') && sign(next) > 0 ? '+' : '';
    const digits = inPrice?.precision ?? Math.min(2, next.scale);
    onChange({ ...entry, text: plus + writeTyped(toFixed(next, digits)) });
  };

  return (
    <div className={styles.stop} data-on={entry.on || undefined}>
      <Checkbox
        checked={entry.on}
        onChange={(on) => {
          added.current = on;
          onChange({ ...entry, on });
        }}
      >
        {t(`stops.${kind}`)}
      </Checkbox>
      {entry.on && (
        <div className={styles.entry}>
          <NumberField
            label={t(`stops.in.${entry.unit}`)}
            text={entry.text}
            onChange={(text) => onChange({ ...entry, text })}
            onStep={step}
            autoFocus={added.current}
            placeholder={
              position && entry.unit === 'price'
                ? writeTyped(toFixed(position.price, position.precision))
                : undefined
            }
            error={error}
            aside={
              <output className={styles.others} dir="ltr">
                {others.filter(Boolean).join(' · ')}
              </output>
            }
          />
          <select
            className={styles.unit}
            aria-label={t('stops.unit', { stop: t(`stops.${kind}`) })}
            value={entry.unit}
            onChange={(event) =>
              onChange(inUnit(entry, kind, event.target.value as StopUnit, position))
            }
          >
            {STOP_UNITS.map((unit) => (
              <option key={unit} value={unit}>
                {t(`stops.in.${unit}`)}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  );
}
