import { GripVertical, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { useT } from '../i18n/i18n';
import { IconButton } from '../ui/Button';
import { listRevision } from '../worker/frameReceiver';
import { useAnswer } from '../worker/useAnswer';
import { workerApi } from '../worker/workerApi';
import styles from './Watchlists.module.css';

interface WatchlistOrderProps {
  ids: readonly number[];
  onChange(ids: readonly number[]): void;
}

/** A row that follows the pointer. */
interface Drag {
  id: number;
  /** Its place, and where the pointer was, when it was gripped. */
  place: number;
  y: number;
}

/** The instruments of a watchlist: moved by drag or arrow keys, or removed. */
export function WatchlistOrder({ ids, onChange }: WatchlistOrderProps) {
  const t = useT();
  const answer = useAnswer(
    listRevision,
    () => workerApi.rows({ ...QUERY, only: ids }, 0, ids.length),
    [ids],
  );
  const names = new Map(answer?.rows.map(({ instrument: { id, name } }) => [id, name]));
  const shown = ids.filter((id) => names.has(id));
  const [drag, setDrag] = useState<Drag>();
  /** The row whose grip gets the focus, and whether it was moved. */
  const [latest, setLatest] = useState<{ id: number | undefined; moved: boolean }>();
  const grips = useRef(new Map<number, HTMLButtonElement | null>());
  const list = useRef<HTMLUListElement>(null);

  const move = (id: number, place: number) => {
    const to = Math.max(0, Math.min(shown.length - 1, place));
    if (shown[to] === id) return;
    const rest = shown.filter((other) => other !== id);
    // What the server does not list now stays in the list.
    const unlisted = ids.filter((other) => !names.has(other));
    onChange([...rest.slice(0, to), id, ...rest.slice(to), ...unlisted]);
    setLatest({ id, moved: true });
  };
  const remove = (id: number, place: number) => {
    onChange(ids.filter((other) => other !== id));
    setLatest({ id: shown[place + 1] ?? shown[place - 1], moved: false });
  };
  // A row that is moved in the page loses its focus, and a removed one takes it away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new order moves rows
  useLayoutEffect(() => {
    if (!latest) return;
    const grip = latest.id === undefined ? undefined : grips.current.get(latest.id);
    (grip ?? list.current)?.focus();
  }, [ids, latest]);

  const press = (event: KeyboardEvent, id: number, place: number) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    move(id, event.key === 'ArrowUp' ? place - 1 : place + 1);
  };
  const grip = (event: PointerEvent, id: number, place: number) => {
    // Captured by the list, because the row itself moves.
    list.current?.setPointerCapture(event.pointerId);
    setDrag({ id, place, y: event.clientY });
  };
  const follow = (event: PointerEvent) => {
    const height = list.current?.firstElementChild?.getBoundingClientRect().height;
    if (drag && height) move(drag.id, drag.place + Math.round((event.clientY - drag.y) / height));
  };
  const release = () => setDrag(undefined);

  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        className={styles.rows}
        onPointerMove={follow}
        onPointerUp={release}
        onPointerCancel={release}
      >
        {shown.map((id, place) => (
          <li key={id} className={styles.row} data-moving={drag?.id === id || undefined}>
            <span className={styles.name} translate="no">
              {names.get(id)}
            </span>
            <IconButton
              label={t('pictures.removeOf', { label: names.get(id) })}
              className={styles.remove}
              onClick={() => remove(id, place)}
            >
              <X size={20} />
            </IconButton>
            <button
              ref={(element) => {
                grips.current.set(id, element);
              }}
              type="button"
              className={styles.grip}
              data-base-ui-swipe-ignore
              aria-label={t('market.order.move', { name: names.get(id) })}
              onKeyDown={(event) => press(event, id, place)}
              onPointerDown={(event) => grip(event, id, place)}
            >
              <GripVertical size={20} />
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="visually-hidden">
        {latest?.moved &&
          latest.id !== undefined &&
          t('market.order.place', {
            name: names.get(latest.id),
            place: shown.indexOf(latest.id) + 1,
            total: shown.length,
          })}
      </p>
    </>
  );
}

const QUERY = { sort: 'default', descending: false, favourites: [] } as const;
