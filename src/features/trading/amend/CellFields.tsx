import {
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Result } from '#domain/core/result';
import { failureText } from '../../../i18n/failure';
import { useT } from '../../../i18n/i18n';
import { isComposing } from '../../../ui/isComposing';
import { useValue } from '../../../useValue';
import { connectionState } from '../../../worker/frameReceiver';
import type { Call } from '../../../worker/useCall';
import { oneTap } from '../settings';
import styles from './CellFields.module.css';

interface CellField {
  label: string;
  text: string;
  error: string | undefined;
  onChange(text: string): void;
}

interface CellFieldsProps {
  fields: readonly CellField[];
  changed: boolean;
  /** Why nothing can be saved now. */
  blocked: string | undefined;
  /** What is wrong, also with what this cell doesn't show. */
  note: string | undefined;
  call: Call;
  check(): boolean;
  save(): Promise<Result<unknown> | undefined>;
  /** Has the change confirmed. */
  onAsk(): void;
  /** `focus`: the cell takes it. */
  onDone(focus: boolean): void;
}

/**
 * The fields of a cell that is edited: Enter or leaving them saves, Escape gives back (screens.md#orders). What was refused stays,
 * with the reason.
 */
export function CellFields(props: CellFieldsProps) {
  const { fields, call, onDone } = props;
  const t = useT();
  const { state } = useValue(connectionState);
  const box = useRef<HTMLDivElement>(null);
  const note = useId();
  const [refusal, setRefusal] = useState<string>();
  const blocked = call.ready || call.busy ? props.blocked : t(`link.${state}`);
  const commit = async (focus: boolean) => {
    if (call.busy) return;
    if (!props.changed) return onDone(focus);
    if (blocked !== undefined || !props.check()) return;
    if (!oneTap.peek()) {
      onDone(focus);
      return props.onAsk();
    }
    const result = await props.save();
    if (result?.ok) onDone(focus);
    else if (result) setRefusal(failureText(result.failure));
  };

  // A row that is moved loses the focus without being left: only what the user does counts, once.
  const left = useRef(false);
  const leave = useEffectEvent((target: EventTarget | null) => {
    if (left.current || !(target instanceof Node) || box.current?.contains(target)) return;
    left.current = true;
    void commit(false);
  });
  useEffect(() => {
    const press = ({ target }: Event) => leave(target);
    document.addEventListener('pointerdown', press, { capture: true });
    return () => document.removeEventListener('pointerdown', press, { capture: true });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter') void commit(true);
    else if (event.key === 'Escape' && !call.busy) onDone(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const progress = call.busy ? t(call.lost ? 'requests.checking' : 'requests.sending') : undefined;
  const reason = progress ?? blocked ?? refusal ?? props.note;
  useLayoutEffect(() => {
    if (reason !== undefined) box.current?.scrollIntoView({ block: 'nearest' });
  }, [reason]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what its fields do bubbles to it
    <div
      ref={box}
      className={styles.editor}
      onKeyDown={onKeyDown}
      onFocus={() => {
        left.current = false;
      }}
      onBlur={({ relatedTarget }: FocusEvent) => leave(relatedTarget)}
    >
      <div className={styles.fields} dir="ltr">
        {fields.map(({ label, text, error, onChange }, index) => (
          <label key={label} className={styles.field}>
            <span className={fields.length > 1 ? styles.label : 'visually-hidden'} dir="auto">
              {label}
            </span>
            <input
              {...(index === 0 && { autoFocus: true })}
              className={styles.input}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              value={text}
              readOnly={call.busy || blocked !== undefined}
              aria-invalid={error !== undefined || refusal !== undefined}
              aria-describedby={reason === undefined ? undefined : note}
              onChange={(event) => {
                setRefusal(undefined);
                onChange(event.target.value);
              }}
              onFocus={(event) => event.target.select()}
            />
          </label>
        ))}
      </div>
      <p id={note} className={styles.reason} role="alert" hidden={reason === undefined}>
        {reason}
      </p>
    </div>
  );
}
