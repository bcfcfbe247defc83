import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { folded } from '#domain/core/inputText';
import { language, useT } from '../i18n/i18n';
import { tradePath } from '../preferences/instrument';
import { actions, keyed, keyOf } from '../shortcuts/actions';
import { isComposing } from '../ui/isComposing';
import { withCode } from '../ui/lazyPart';
import { SearchField } from '../ui/SearchField';
import { writeAttribute } from '../ui/textCell';
import { useValue } from '../useValue';
import { listRevision } from '../worker/frameReceiver';
import { useAnswer } from '../worker/useAnswer';
import { workerApi } from '../worker/workerApi';
import styles from './Keyboard.module.css';

/** Instruments that are offered at once. */
const INSTRUMENTS = 8;

interface Offer {
  id: string;
  text: string;
  code?: string;
  key?: string | undefined;
  run(): void;
}

async function instruments(search: string) {
  const query = { search, sort: 'default', descending: false, favourites: [] } as const;
  return (await workerApi.rows(query, 0, INSTRUMENTS)).rows;
}

const letters = (text: string) => folded(text).split(/\s+/).filter(Boolean);

/** Actions and instruments by name (screens.md#keyboard). */
export function Palette({ onDone }: { onDone(): void }) {
  const t = useT();
  const navigate = useNavigate();
  const { pathname, search: query } = useLocation();
  const [offered, keys, shownLanguage] = [useValue(actions), useValue(keyed), useValue(language)];
  // Not at each letter that is typed: there are dozens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: texts and keys are those of the language and the keys
  const known = useMemo(
    () =>
      offered.map((action) => {
        const text = action.text();
        return {
          id: action.id,
          text,
          folded: folded(text),
          key: keyOf(action),
          run: () => action.run(),
        };
      }),
    [offered, keys, shownLanguage],
  );
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [entered, setEntered] = useState(false);
  const list = useId();
  const box = useRef<HTMLDivElement>(null);
  const search = useDeferredValue(text.trim());
  const answer = useAnswer(
    listRevision,
    async () => ({ search, rows: search === '' ? [] : await instruments(search) }),
    [search],
  );
  // Instruments and actions change together: what comes a moment later would push the others down.
  const shown = answer?.search ?? '';
  const pending = shown !== text.trim();
  const words = letters(shown);
  const found: Offer[] = [
    ...(answer?.rows ?? []).map(({ instrument: { code, name } }) => ({
      id: `instrument ${code}`,
      text: name,
      code,
      run: () => {
        if (pathname !== '/panel') return void navigate(tradePath(code));
        const area = new URLSearchParams(query).get('area') ?? '';
        withCode(
          () => import('./workspace/PanelScreen'),
          ({ pickInWindow }) => pickInWindow(area, code),
        );
      },
    })),
    ...known
      // Eleven of them, which their own bar shows as well.
      .filter(({ id }) => shown !== '' || !id.startsWith('period '))
      .filter(({ folded }) => words.every((word) => folded.includes(word))),
  ];
  const chosen = Math.min(at, found.length - 1);

  useEffect(() => {
    const input = box.current?.querySelector('input');
    if (!input) return;
    writeAttribute(input, 'role', 'combobox');
    writeAttribute(input, 'aria-expanded', 'true');
    writeAttribute(input, 'aria-controls', list);
    writeAttribute(input, 'aria-activedescendant', `${list} ${chosen}`.replaceAll(' ', '-'));
  });
  useEffect(() => {
    document
      .getElementById(`${list} ${chosen}`.replaceAll(' ', '-'))
      ?.scrollIntoView({ block: 'nearest' });
  }, [list, chosen]);

  const take = (offer: Offer | undefined) => {
    if (!offer) return;
    onDone();
    // After the dialog has given back the focus.
    setTimeout(offer.run);
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const { length } = found;
    const next = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 + length }[event.key];
    if (next !== undefined && length > 0) {
      event.preventDefault();
      setAt(next % length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (pending) setEntered(true);
      else take(found[chosen]);
    }
  };
  // Enter was pressed before the answer.
  const takeChosen = useEffectEvent(() => take(found[chosen]));
  useEffect(() => {
    if (entered && !pending) takeChosen();
  }, [entered, pending]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its field has the focus and the role
    <div ref={box} onKeyDown={press}>
      <SearchField
        label={t('keys.find')}
        placeholder={t('keys.find')}
        text={text}
        onChange={(next) => {
          setText(next);
          setAt(0);
          setEntered(false);
        }}
        autoFocus
      />
      <div className={styles.found}>
        <div id={list} role="listbox" aria-label={t('keys.palette')} className={styles.list}>
          {found.map((offer, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            <div
              key={offer.id}
              id={`${list} ${index}`.replaceAll(' ', '-')}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={`${styles.row} ${styles.option}`}
              onClick={() => take(offer)}
            >
              <span className={styles.text}>
                {offer.text} {offer.code && <span className="caption">{offer.code}</span>}
              </span>
              {offer.key && <kbd>{offer.key.toUpperCase()}</kbd>}
            </div>
          ))}
        </div>
        {found.length === 0 && (
          <p role="status" className={styles.note}>
            {t('common.nothingFound', { search: shown })}
          </p>
        )}
      </div>
    </div>
  );
}
