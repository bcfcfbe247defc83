import { Fragment, useId, useRef } from 'react';
import {
  add,
  compare,
  decimal,
  multiply,
  parseDecimal,
  sign,
  subtract,
  toFixed,
  toNumber,
  ZERO,
} from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import type { PositionWithMargin } from '#domain/trading/exits';
import { formatAmount, formatPrice, formatRate, isolated } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { formatNumberInput, hasPlus, parseNumber } from '../i18n/numberInput';
import { useFeature } from '../requests/accountSettings';
import { Checkbox } from '../ui/Checkbox';
import { directionOf } from '../ui/direction';
import { Ltr } from '../ui/Ltr';
import { NumberField } from '../ui/NumberField';
import { UnitSelect } from '../ui/UnitSelect';
import styles from './ExitField.module.css';
import {
  DISTANCE_UNITS,
  EXIT_UNITS,
  type ExitEntry,
  type ExitKind,
  type ExitUnit,
  exitStep,
  inUnit,
  percentStep,
  readDistance,
  readExit,
  shownPercent,
  withTrailing,
} from './exitEntry';

interface ExitFieldProps {
  kind: ExitKind;
  entry: ExitEntry;
  onChange(entry: ExitEntry): void;
  /** What the stop is computed from; undefined while margin or price is unknown. */
  position: PositionWithMargin | undefined;
  error?: string | undefined;
  /** Where a stop-loss that trails at this distance is then; undefined where it is not known. */
  stopAt(distance: Price): Price | undefined;
}

/** Steps that an empty distance starts with. */
const FIRST_STEPS = 5;

/**
 * A stop with its checkbox (domain.md#exit-entry): entered in one form, shown in the others. A stop-loss may
 * follow the price where the server can (protocol.md#trailing-stop).
 */
export function ExitField({ kind, entry, onChange, position, error, stopAt }: ExitFieldProps) {
  const t = useT();
  const trailing = entry.trailing === true;
  const note = useId();
  const { fixed } = entry;
  // An exit that the user adds waits for its price.
  const added = useRef(false);
  const forms = readExit(entry, kind, position);
  const shown: Record<ExitUnit, string | undefined> = {
    price: forms && position && formatPrice(toNumber(forms.price), position.precision),
    profit: forms && `${formatAmount(forms.profit, 2, 'always')} USD`,
    // Isolated, since the words may run right to left.
    percent:
      forms?.percent &&
      isolated(t('exits.ofMargin', { percent: formatRate(forms.percent, 2, 'always') })),
  };
  const others = EXIT_UNITS.filter((unit) => unit !== entry.unit && shown[unit]);
  const units = trailing ? DISTANCE_UNITS : EXIT_UNITS;
  // A distance is in percent of the price, a stop in percent of the margin.
  const nameOf = (unit: ExitUnit) =>
    t(unit === 'percent' && !trailing ? 'exits.in.percentOfMargin' : `exits.in.${unit}`);

  const step = (direction: 1 | -1) => {
    const inPrice = entry.unit === 'price' ? position : undefined;
    if (entry.unit === 'price' && !inPrice) return;
    const typed = parseDecimal(parseNumber(entry.text));
    const inPercent = trailing ? percentStep(typed, direction) : decimal(1);
    const size = inPrice ? exitStep(inPrice.price, inPrice.precision) : inPercent;
    const first = trailing ? multiply(size, decimal(FIRST_STEPS)) : (inPrice?.price ?? ZERO);
    const value = typed ?? first;
    const moved = direction > 0 ? add(value, size) : subtract(value, size);
    const next = trailing && !typed ? value : moved;
    if ((inPrice || trailing) && compare(next, ZERO) <= 0) return;
    const plus = hasPlus(entry.text) && sign(next) > 0 ? '+' : '';
    const digits = inPrice?.precision ?? (trailing ? next.scale : Math.min(2, next.scale));
    onChange({ ...entry, text: plus + formatNumberInput(toFixed(next, digits)) });
  };

  return (
    <div className={styles.stop} data-on={entry.on || undefined}>
      <div className={styles.boxes}>
        <Checkbox
          checked={entry.on}
          onChange={(on) => {
            added.current = on;
            onChange({ ...entry, on });
          }}
        >
          {t(`exits.${kind}`)}
        </Checkbox>
        {entry.on && kind === 'stopLoss' && (
          <TrailingBox
            trailing={trailing}
            onChange={(on) => onChange(withTrailing(entry, on, position))}
          />
        )}
      </div>
      {entry.on && (
        <fieldset className={styles.entry} aria-label={t(`exits.${kind}`)}>
          <NumberField
            label={trailing ? t('exits.distance') : nameOf(entry.unit)}
            text={entry.text}
            onChange={(text) => onChange({ ...entry, text })}
            onStep={step}
            autoFocus={added.current}
            placeholder={
              position && entry.unit === 'price' && !trailing
                ? formatNumberInput(toFixed(position.price, position.precision))
                : undefined
            }
            error={error}
            describedBy={note}
            aside={
              <span id={note} className={styles.others} dir={trailing ? undefined : 'ltr'}>
                {trailing ? (
                  <TrailingNote entry={entry} position={position} stopAt={stopAt} />
                ) : (
                  others.map((unit, index) => (
                    <Fragment key={unit}>
                      {index > 0 && ' · '}
                      <span
                        className={unit === 'profit' ? styles.profit : undefined}
                        data-direction={forms && directionOf(sign(forms.profit))}
                      >
                        {shown[unit]}
                      </span>
                    </Fragment>
                  ))
                )}
              </span>
            }
            beside={
              <UnitSelect
                label={t('exits.unit', { stop: t(`exits.${kind}`) })}
                value={entry.unit}
                units={units}
                nameOf={nameOf}
                onChange={(unit) => onChange(inUnit(entry, kind, unit, position))}
              />
            }
          />
        </fieldset>
      )}
      {entry.on && entry.trailing && fixed && (
        <Checkbox
          checked={fixed.on}
          onChange={(on) => onChange({ ...entry, fixed: { ...fixed, on } })}
        >
          {t('exits.alsoFixed', {
            price: position
              ? formatPrice(Number(fixed.price), position.precision)
              : formatNumberInput(fixed.price),
          })}
        </Checkbox>
      )}
    </div>
  );
}

/** Lets a stop-loss follow the price, where the server can. */
function TrailingBox({
  trailing,
  onChange,
}: {
  trailing: boolean;
  onChange(trailing: boolean): void;
}) {
  const t = useT();
  const canTrail = useFeature('trailing_stop');
  if (!trailing && !canTrail) return null;
  return (
    <Checkbox checked={trailing} onChange={onChange}>
      {t('exits.trailing')}
    </Checkbox>
  );
}

/** A distance in its other form, and where the stop-loss is then. */
function TrailingNote({
  entry,
  position,
  stopAt,
}: Pick<ExitFieldProps, 'entry' | 'position' | 'stopAt'>) {
  const t = useT();
  const distance = readDistance(entry, position);
  const stop = distance && stopAt(distance);
  if (!position || !distance) return null;
  const written = (price: Price) => formatPrice(toNumber(price), position.precision);
  const { percent, decimals } = shownPercent(distance, position);
  const other = entry.unit === 'price' ? formatRate(percent, decimals) : written(distance);
  return (
    <>
      <Ltr>{other}</Ltr>
      {stop && sign(stop) > 0 && ` · ${t('exits.startsAt', { price: written(stop) })}`}
    </>
  );
}
