import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { MAX_WATCHLISTS } from '#domain/market/watchlist';
import { useT } from '../i18n/i18n';
import { favourites } from '../preferences/preferences';
import { instrumentsOf, type ListId, watchlist, watchlists } from '../preferences/watchlists';
import { Button, IconButton } from '../ui/Button';
import { ButtonPair } from '../ui/ButtonPair';
import { classes } from '../ui/classes';
import { Row } from '../ui/Row';
import { Sheet } from '../ui/Sheet';
import { useLastDefined } from '../ui/useLastDefined';
import { useValue } from '../useValue';
import { AddInstruments } from './AddInstruments';
import { emptyText } from './emptyText';
import { listName } from './listName';
import { WatchlistNameForm } from './WatchlistNameForm';
import { WatchlistOrder } from './WatchlistOrder';
import styles from './Watchlists.module.css';
import {
  createWatchlist,
  deleteWatchlist,
  renameWatchlist,
  setInstruments,
} from './watchlistEdits';

/** What the sheet of watchlists shows: all of them, or one. */
export type WatchlistsView =
  | { at: 'lists' | 'create' }
  | { at: 'edit' | 'add' | 'rename' | 'delete'; id: ListId };

export interface WatchlistsProps {
  /** Undefined while the sheet is closed. */
  view: WatchlistsView | undefined;
  onView(view: WatchlistsView | undefined): void;
  onCreated(id: ListId): void;
}

/** A view of the sheet. */
interface Shown {
  title: string;
  /** Id of the question that it asks. */
  question?: string;
  body: ReactNode;
  foot?: ReactNode;
}

const ALL: WatchlistsView = { at: 'lists' };

export default function WatchlistsSheet({ view, onView, onCreated }: WatchlistsProps) {
  const wanted = useLastDefined(view) ?? ALL;
  useValue(watchlists);
  useValue(favourites);
  // A list may be deleted in another tab.
  const gone = 'id' in wanted && wanted.id !== 'favourites' && !watchlist(wanted.id);
  const shown = gone ? ALL : wanted;
  const { title, question, body, foot } = useShown(shown, onView, onCreated);
  const box = useViewFocus(shown);
  return (
    <Sheet open={view !== undefined} onClose={() => onView(undefined)} title={title} foot={foot}>
      <section
        ref={box}
        tabIndex={-1}
        className={styles.view}
        aria-label={title}
        aria-describedby={question}
      >
        {body}
      </section>
    </Sheet>
  );
}

/** Moves the focus to another view, as its button is gone. */
function useViewFocus(shown: WatchlistsView) {
  const box = useRef<HTMLElement>(null);
  const former = useRef(shown.at);
  useLayoutEffect(() => {
    if (former.current === shown.at) return;
    former.current = shown.at;
    if (!box.current?.contains(document.activeElement)) box.current?.focus();
  }, [shown.at]);
  return box;
}

function useShown(
  view: WatchlistsView,
  onView: WatchlistsProps['onView'],
  onCreated: WatchlistsProps['onCreated'],
): Shown {
  const t = useT();
  const question = useId();
  const own = watchlists.value;
  switch (view.at) {
    case 'lists': {
      const ids: ListId[] = ['favourites', ...own.map(({ id }) => id)];
      return {
        title: t('market.lists.title'),
        body: (
          <ul className={styles.rows}>
            {ids.map((id) => (
              <li key={id}>
                <Row
                  title={<bdi>{listName(id)}</bdi>}
                  figure={`${instrumentsOf(id).length}`}
                  onClick={() => onView({ at: 'edit', id })}
                />
              </li>
            ))}
          </ul>
        ),
        foot:
          own.length < MAX_WATCHLISTS ? (
            <Button wide variant="primary" onClick={() => onView({ at: 'create' })}>
              {t('market.lists.new')}
            </Button>
          ) : (
            <p className={styles.full}>{t('market.lists.full', { max: MAX_WATCHLISTS })}</p>
          ),
      };
    }
    case 'create':
      return {
        title: t('market.lists.new'),
        body: (
          <WatchlistNameForm
            key="new"
            onSave={(name) => {
              const id = createWatchlist(name);
              onCreated(id);
              onView({ at: 'add', id });
            }}
            onCancel={() => onView(ALL)}
          />
        ),
      };
    case 'rename':
      return {
        title: t('market.lists.rename'),
        body: (
          <WatchlistNameForm
            key={view.id}
            list={watchlist(view.id)}
            onSave={(name) => {
              renameWatchlist(view.id, name);
              onView({ at: 'edit', id: view.id });
            }}
            onCancel={() => onView({ at: 'edit', id: view.id })}
          />
        ),
      };
    case 'edit':
      return {
        title: listName(view.id),
        body: <Edit id={view.id} onView={onView} />,
        foot: (
          <ButtonPair>
            <Button onClick={() => onView(ALL)}>{t('market.lists.title')}</Button>
            <Button variant="primary" onClick={() => onView({ at: 'add', id: view.id })}>
              {t('market.lists.add')}
            </Button>
          </ButtonPair>
        ),
      };
    case 'add':
      return {
        title: listName(view.id),
        body: <AddInstruments id={view.id} listed={instrumentsOf(view.id)} />,
        foot: (
          <Button wide variant="primary" onClick={() => onView({ at: 'edit', id: view.id })}>
            {t('trade.placed.done')}
          </Button>
        ),
      };
    case 'delete':
      return {
        title: t('market.lists.delete'),
        question,
        body: (
          <p id={question} className={styles.form}>
            {t('market.lists.deleteAsk', { name: listName(view.id) })}
          </p>
        ),
        foot: (
          <ButtonPair>
            <Button onClick={() => onView({ at: 'edit', id: view.id })}>
              {t('common.cancel')}
            </Button>
            <Button
              variant="primary"
              onClick={() => {
                deleteWatchlist(view.id);
                onView(ALL);
              }}
            >
              {t('common.delete')}
            </Button>
          </ButtonPair>
        ),
      };
  }
}

/** The order of a list; an own one can be renamed and deleted. */
function Edit({ id, onView }: { id: ListId; onView: WatchlistsProps['onView'] }) {
  const t = useT();
  const ids = instrumentsOf(id);
  return (
    <>
      <div className={styles.tools}>
        {ids.length === 0 ? (
          <p className={styles.hint}>{t(emptyText(id))}</p>
        ) : (
          <>
            <p className={classes(styles.hint, styles.byTouch)}>{t('market.order.drag')}</p>
            <p className={classes(styles.hint, styles.byKeys)}>{t('market.order.hint')}</p>
          </>
        )}
        {id !== 'favourites' && (
          <>
            <IconButton
              label={t('market.lists.rename')}
              onClick={() => onView({ at: 'rename', id })}
            >
              <Pencil size={20} />
            </IconButton>
            <IconButton
              label={t('market.lists.delete')}
              onClick={() => onView({ at: 'delete', id })}
            >
              <Trash2 size={20} />
            </IconButton>
          </>
        )}
      </div>
      <WatchlistOrder ids={ids} onChange={(next) => setInstruments(id, next)} />
    </>
  );
}
