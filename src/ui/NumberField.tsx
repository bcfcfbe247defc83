import { Minus, Plus } from 'lucide-react';
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from 'react';
import { useT } from '../i18n/i18n';
import { Button } from './Button';
import { FieldNotes, notesOf } from './FieldNotes';
import { isComposing } from './isComposing';
import styles from './NumberField.module.css';

interface NumberFieldProps {
  label: string;
  /** The field's name in its form; `useProblems` finds the field by it. */
  name?: string;
  /** The text as typed; see `parseNumber`. */
  text: string;
  onChange(text: string): void;
  /** Shows the step buttons. Arrow keys do the same. */
  onStep?: (direction: 1 | -1) => void;
  canDecrease?: boolean;
  canIncrease?: boolean;
  placeholder?: string | undefined;
  /** A unit behind the number. */
  suffix?: string;
  error?: string | undefined;
  /** Content beside the label: an explanation or a shortcut. */
  aside?: ReactNode;
  /** A control beside the number: its unit. */
  beside?: ReactNode;
  /** Id of a text that a screen reader reads with the field: an explanation in `aside`. */
  describedBy?: string | undefined;
  disabled?: boolean;
  /** Numbers below zero are entered too: a phone's keyboard for decimals may have no minus. */
  signed?: boolean;
  /** Takes the focus when it appears: what a tap has asked for. */
  autoFocus?: boolean;
}

/**
 * A text field for a number, with optional step buttons. A text field, so that the keyboard shows
 * the user's own decimal sign.
 */
export function NumberField({
  label,
  name,
  text,
  onChange,
  onStep,
  placeholder,
  canDecrease = true,
  canIncrease = true,
  suffix,
  error,
  aside,
  beside,
  describedBy,
  disabled,
  signed = false,
  autoFocus,
}: NumberFieldProps) {
  const t = useT();
  const id = useId();
  const down = useHold(() => onStep?.(-1), disabled === true || !canDecrease);
  const up = useHold(() => onStep?.(1), disabled === true || !canIncrease);
  const onKeyDown = (event: KeyboardEvent) => {
    const upwards = event.key === 'ArrowUp';
    if (isComposing(event.nativeEvent)) return;
    if (!onStep || (!upwards && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    if (upwards ? canIncrease : canDecrease) onStep(upwards ? 1 : -1);
  };
  return (
    <div className={styles.field}>
      <div className={styles.caption}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <div className={styles.line}>
        <div className={styles.box} data-invalid={error !== undefined || undefined} dir="ltr">
          {onStep && (
            <button
              type="button"
              className={styles.step}
              aria-label={t('common.decrease', { label })}
              disabled={disabled || !canDecrease}
              {...down}
            >
              <Minus size={20} />
            </button>
          )}
          <input
            {...(autoFocus && { autoFocus })}
            id={id}
            name={name}
            className={styles.input}
            type="text"
            inputMode={signed ? 'text' : 'decimal'}
            autoComplete="off"
            value={text}
            placeholder={placeholder}
            disabled={disabled}
            aria-invalid={error !== undefined}
            aria-describedby={notesOf({ id, error }, describedBy)}
            onChange={(event) => onChange(event.target.value)}
            onFocus={(event) => event.target.select()}
            onKeyDown={onKeyDown}
          />
          {suffix && <span className={styles.suffix}>{suffix}</span>}
          {onStep && (
            <button
              type="button"
              className={styles.step}
              aria-label={t('common.increase', { label })}
              disabled={disabled || !canIncrease}
              {...up}
            >
              <Plus size={20} />
            </button>
          )}
        </div>
        {beside}
      </div>
      <FieldNotes id={id} error={error} />
    </div>
  );
}

/**
 * A button for `aside` that fills in a value. Its touch target is larger than the line, without
 * making that higher.
 */
export function AsideButton(props: ComponentProps<typeof Button>) {
  return <Button {...props} variant="quiet" className={styles.aside} />;
}

/** A press this long is held, ms; then it acts again and again. */
const HELD = 400;
const EVERY = 80;

/**
 * Handlers of a button that acts on a tap, and repeatedly while it is held. Ends where the button
 * becomes disabled or goes away.
 */
function useHold(act: () => void, disabled: boolean) {
  const latest = useRef(act);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const repeated = useRef(false);

  useEffect(() => {
    latest.current = act;
  });
  const stop = () => clearTimeout(timer.current);
  useEffect(() => {
    // A disabled button gets no release event.
    if (disabled) repeated.current = false;
    return () => clearTimeout(timer.current);
  }, [disabled]);

  const repeat = () => {
    repeated.current = true;
    latest.current();
    timer.current = setTimeout(repeat, EVERY);
  };
  return {
    onPointerDown: (event: { button: number }) => {
      stop();
      repeated.current = false;
      if (event.button === 0 && !disabled) timer.current = setTimeout(repeat, HELD);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // A long press opens no menu.
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
    onClick: ({ detail }: { detail: number }) => {
      // The end of a long press is a click too, unless it is elsewhere. A key's click has no detail.
      if (!repeated.current || detail === 0) latest.current();
      repeated.current = false;
    },
  };
}
