import { ArrowUpDown, GripVertical } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { gateway } from '../../gateway/client';
import { listRevision } from '../../gateway/pump';
import { useAnswer } from '../../gateway/useAnswer';
import { useT } from '../../i18n/i18n';
import { favourites } from '../../session/preferences';
import { useValue } from '../../signals';
import { Sheet } from '../../ui/Sheet';
import styles from './FavouriteOrder.module.css';

/** Opens a sheet in which favourites are put in an own order (screens.md#home); loaded with the first such list. */
export default function FavouriteOrder() {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.open}
        aria-label={t('market.order.change')}
        onClick={() => setOpen(true)}
      >
        <ArrowUpDown size={16} aria-hidden="true" />
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('market.order.title')}>
        <Rows />
      </Sheet>
    </>
  );
}

/** A row that follows the pointer. */
interface Drag {
  id: number;
  /** Its place, and where the pointer was, when it was gripped. */
  place: number;
  y: number;
}

function Rows() {
  const t = useT();
  const ids = useValue(favourites);
  const answer = useAnswer(
    listRevision,
    () => gateway.rows({ ...QUERY, favourites: ids }, 0, ids.length),
    [ids],
  );
  const names = new Map(answer?.rows.map(({ instrument: { id, name } }) => [id, name]));
  const shown = ids.filter((id) => names.has(id));
  const [drag, setDrag] = useState<Drag>();
  const [latest, setLatest] = useState<number>();
  const grips = useRef(new Map<number, HTMLButtonElement | null>());
  const list = useRef<HTMLUListElement>(null);

  const move = (id: number, place: number) => {
    const to = Math.max(0, Math.min(shown.length - 1, place));
    if (shown[to] === id) return;
    const rest = shown.filter((other) => other !== id);
    // What the server does not list now keeps its star.
    const unlisted = ids.filter((other) => !names.has(other));
    favourites.value = [...rest.slice(0, to), id, ...rest.slice(to), ...unlisted];
    setLatest(id);
  };
  // A row that is moved in the page loses its focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new order moves rows
  useLayoutEffect(() => {
    if (latest !== undefined) grips.current.get(latest)?.focus();
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
      <p className={styles.hint}>{t('market.order.hint')}</p>
      <ul
        ref={list}
        className={styles.rows}
        onPointerMove={follow}
        onPointerUp={release}
        onPointerCancel={release}
      >
        {shown.map((id, place) => (
          <li key={id} className={styles.row} data-moving={drag?.id === id || undefined}>
            <span className={styles.name}>{names.get(id)}</span>
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
              <GripVertical size={20} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="visually-hidden">
        {latest !== undefined &&
          t('market.order.place', {
            name: names.get(latest),
            place: shown.indexOf(latest) + 1,
            total: shown.length,
          })}
      </p>
    </>
  );
}

const QUERY = { onlyFavourites: true, sort: 'default', descending: false } as const;
