import { type KeyboardEvent, useState } from 'react';
import { useT } from '../i18n/i18n';
import { type Action, actions, bind, isKey, keyed, keyOf, resetKeys } from '../shortcuts/actions';
import { PALETTE_KEY } from '../shortcuts/PaletteButton';
import { keyName } from '../shortcuts/press';
import { Button } from '../ui/Button';
import { useValue } from '../useValue';
import styles from './Keyboard.module.css';

/** All actions of what is on screen with their keys, which can be changed (screens.md#keyboard). */
export function Keys() {
  const t = useT();
  const all = useValue(actions);
  useValue(keyed);
  /** Which action waits for a key, and the key that another one has. */
  const [asked, setAsked] = useState<{ id: string; taken?: string }>();

  const press = (event: KeyboardEvent, action: Action) => {
    if (asked?.id !== action.id || event.key === 'Tab') return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setAsked(undefined);
      return;
    }
    if (event.key === 'Backspace' || event.key === 'Delete') {
      event.preventDefault();
      bind(action, undefined);
      setAsked(undefined);
      return;
    }
    const key = keyName(event.nativeEvent);
    if (!isKey(key)) return;
    event.preventDefault();
    const owner = keyed.peek().get(key);
    if (owner && owner.id !== action.id) setAsked({ id: action.id, taken: key });
    else {
      bind(action, key);
      setAsked(undefined);
    }
  };

  return (
    <>
      <p className={styles.note}>{t('keys.hint')}</p>
      <ul className={styles.list}>
        <li className={styles.row}>
          <span className={styles.text}>{t('keys.palette')}</span>
          <kbd>{PALETTE_KEY}</kbd>
        </li>
        {all.map((action) => {
          const waits = asked?.id === action.id;
          const { taken } = waits ? asked : {};
          const key = keyOf(action);
          const owner = taken === undefined ? undefined : keyed.peek().get(taken);
          return (
            <li key={action.id} className={styles.row}>
              <span className={styles.text}>{action.text()}</span>
              {key && !waits && <kbd>{key.toUpperCase()}</kbd>}
              <Button
                variant="quiet"
                aria-label={waits ? t('keys.press') : t('keys.changeOf', { name: action.text() })}
                onClick={() => setAsked(waits ? undefined : { id: action.id })}
                onKeyDown={(event) => press(event, action)}
                onBlur={() => {
                  if (waits && taken === undefined) setAsked(undefined);
                }}
              >
                {waits ? t('keys.press') : t('keys.change')}
              </Button>
              {owner && taken !== undefined && (
                <p role="alert" className={styles.told}>
                  {t('keys.taken', { key: taken.toUpperCase(), name: owner.text() })}{' '}
                  <Button
                    variant="quiet"
                    onClick={() => {
                      bind(action, taken);
                      setAsked(undefined);
                    }}
                  >
                    {t('keys.take')}
                  </Button>
                </p>
              )}
            </li>
          );
        })}
      </ul>
      <p className={styles.note}>
        <Button onClick={resetKeys}>{t('keys.reset')}</Button>
      </p>
    </>
  );
}
