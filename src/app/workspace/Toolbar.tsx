import {
  ChevronDown,
  Languages,
  LayoutDashboard,
  Plus,
  Redo2,
  Search,
  SunMoon,
  Undo2,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { joinWindow, type Layout, MAIN_AREA } from '#domain/workspace/layout';
import { isShipped, readLayoutFile, writeLayoutFile } from '#domain/workspace/layouts';
import { useT } from '../../i18n/i18n';
import { PaletteButton } from '../../shortcuts/PaletteButton';
import { Button } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { lazyPart, ToldInBanner } from '../../ui/lazyPart';
import { Menu } from '../../ui/Menu';
import type { MenuItem } from '../../ui/PopMenuPopup';
import { saveFile } from '../../ui/saveFile';
import { showToastHere } from '../../ui/toastStore';
import { useValue } from '../../useValue';
import { ChartBar } from './ChartBar';
import { LayoutNameSheet, type Naming } from './LayoutNameSheet';
import { LayoutPictures } from './LayoutPictures';
import { addKind, canAdd, nameOf } from './panelEdits';
import { PANEL_KINDS, PANELS } from './panels';
import { SHIPPED_LAYOUTS } from './shipped';
import {
  addLayout,
  chooseLayout,
  deleteLayout,
  edit,
  layout,
  layouts,
  resetLayout,
  undoable,
  undoEdit,
} from './store';
import styles from './Toolbar.module.css';
import { closedWindows, openWindow } from './windowGroup';

const AppearanceSheet = lazyPart(
  () => import('../../features/market/AppearanceSheet'),
  ToldInBanner,
);

/** No layout is larger as a file, bytes. */
const LARGEST_FILE = 500_000;

/** Above the panels: the chart used last, the layout, preferences, and the windows that are closed. */
export function Toolbar() {
  const t = useT();
  const { current, own, layouts: changed } = useValue(layouts);
  const present = useValue(layout);
  const [naming, setNaming] = useState<Naming>();
  const file = useRef<HTMLInputElement>(null);
  const choices: MenuItem[] = [...SHIPPED_LAYOUTS, ...own.map(({ id }) => id)].map((id) => ({
    text: nameOf(id),
    closes: true,
    checked: id === current,
    onSelect: () => chooseLayout(id),
  }));
  const take = async (chosen: File) => {
    const text = chosen.size > LARGEST_FILE ? '' : await chosen.text().catch(() => '');
    const read = readLayoutFile(text, PANEL_KINDS);
    if (!read.ok) return showToastHere(t(`workspace.problem.${read.problem}`), 'error');
    const names = [...SHIPPED_LAYOUTS, ...own.map(({ id }) => id)].map(nameOf);
    const name = freeName(read.name || t('workspace.title'), names);
    if (!addLayout(name, read.layout)) showToastHere(t('workspace.problem.full'), 'error');
  };
  const shares = (key: keyof Layout['shares']): MenuItem => ({
    text: t(key === 'crosshair' ? 'workspace.shareCrosshair' : 'workspace.sharePeriod'),
    checked: present.shares[key],
    onSelect: () => edit((now) => ({ ...now, shares: { ...now.shares, [key]: !now.shares[key] } })),
  });
  return (
    <ChartBar area={MAIN_AREA} label={t('workspace.title')}>
      <h1 className="visually-hidden">{t('workspace.title')}</h1>
      <LayoutPictures />
      <Menu
        label={t('workspace.layout', { name: nameOf(current) })}
        className={styles.button}
        groups={[
          choices,
          [
            {
              text: t('workspace.saveAs'),
              onSelect: () => setNaming({ kind: 'add' }),
            },
            ...(isShipped(current)
              ? [
                  {
                    text: t('workspace.reset'),
                    disabled: !changed[current],
                    onSelect: () => resetLayout(current),
                  },
                ]
              : [
                  {
                    text: t('workspace.rename'),
                    onSelect: () => setNaming({ kind: 'rename', id: current }),
                  },
                  {
                    text: t('workspace.delete'),
                    onSelect: () => setNaming({ kind: 'delete', id: current }),
                  },
                ]),
          ],
          [
            {
              text: t('workspace.export'),
              onSelect: () =>
                saveFile(
                  writeLayoutFile(nameOf(current), present),
                  'fulcrum-layout.json',
                  'application/json',
                ),
            },
            {
              text: t('workspace.import'),
              onSelect: () => file.current?.click(),
            },
          ],
          [shares('crosshair'), shares('period')],
        ]}
      >
        <LayoutDashboard size={16} />
        <bdi className={styles.text}>{nameOf(current)}</bdi>
        <ChevronDown size={16} />
      </Menu>
      <AddMenu present={present} />
      <UndoButtons />
      <Link
        to="/product"
        className={styles.button}
        aria-label={t('market.search')}
        title={t('market.search')}
      >
        <Search size={16} />
      </Link>
      <PaletteButton />
      <Preferences />
      <ClosedWindows />
      <input
        ref={file}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={t('workspace.import')}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          // The same file can be chosen again.
          target.value = '';
          if (chosen) void take(chosen);
        }}
      />
      <LayoutNameSheet
        naming={naming}
        nameOf={nameOf}
        onClose={() => setNaming(undefined)}
        onDelete={deleteLayout}
      />
    </ChartBar>
  );
}

/** A name that no other layout has. */
function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()));
  if (!used.has(name.toLowerCase())) return name;
  let number = 2;
  while (used.has(`${name.slice(0, 28)} ${number}`.toLowerCase())) number += 1;
  return `${name.slice(0, 28)} ${number}`;
}

function AddMenu({ present }: { present: Layout }) {
  const t = useT();
  return (
    <Menu
      label={t('workspace.add')}
      className={styles.button}
      groups={[
        PANELS.map(({ id, title }) => ({
          text: t(title),
          disabled: !canAdd(present, id),
          onSelect: () => addKind(id, MAIN_AREA),
        })),
      ]}
    >
      <Plus size={16} />
      <span className={styles.text}>{t('workspace.add')}</span>
    </Menu>
  );
}

/** Takes the last change of the arrangement back, or makes it again. */
function UndoButtons() {
  const t = useT();
  const { undo, redo } = useValue(undoable);
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-label={t('trade.draw.undo')}
        title={t('trade.draw.undo')}
        aria-keyshortcuts="Control+Z"
        disabled={!undo}
        onClick={() => undoEdit()}
      >
        <Undo2 size={16} />
      </button>
      <button
        type="button"
        className={styles.button}
        aria-label={t('trade.draw.redo')}
        title={t('trade.draw.redo')}
        aria-keyshortcuts="Control+Shift+Z"
        disabled={!redo}
        onClick={() => undoEdit(true)}
      >
        <Redo2 size={16} />
      </button>
    </>
  );
}

/** Theme, colours and language, as on the market's screen. */
function Preferences() {
  const t = useT();
  const [appearance, setAppearance] = useState<'open' | 'closed'>();
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-label={t('market.appearance')}
        title={t('market.appearance')}
        aria-haspopup="dialog"
        onClick={() => setAppearance('open')}
      >
        <SunMoon size={16} />
      </button>
      <Link
        to="/language"
        className={styles.button}
        aria-label={t('language.title')}
        title={t('language.title')}
      >
        <Languages size={16} />
      </Link>
      {appearance && (
        <AppearanceSheet open={appearance === 'open'} onClose={() => setAppearance('closed')} />
      )}
    </>
  );
}

/** Windows of the layout that are not open: the browser opens them only by a click. */
function ClosedWindows() {
  const t = useT();
  const closed = useValue(closedWindows);
  if (closed.length === 0) return null;
  const openAll = async () => {
    const opened = await Promise.all(closed.map(openWindow));
    if (!opened.every(Boolean)) showToastHere(t('workspace.blocked'), 'error');
  };
  return (
    <div className={styles.windows} role="status">
      <span>{t('workspace.windowsClosed', { count: closed.length })}</span>
      <Button variant="quiet" onClick={() => void openAll()}>
        {t('workspace.openWindows')}
      </Button>
      <Button variant="quiet" onClick={() => edit((now) => closed.reduce(joinWindow, now))}>
        {t('workspace.bringBack')}
      </Button>
    </div>
  );
}
