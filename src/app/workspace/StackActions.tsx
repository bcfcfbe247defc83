import { computed } from '@preact/signals-react';
import { EllipsisVertical, X } from 'lucide-react';
import { useMemo } from 'react';
import { isRightToLeft } from '#domain/core/language';
import {
  type AreaId,
  changePanel,
  changeShared,
  closePanel,
  dockPanel,
  floatPanel,
  LINKS,
  type Link,
  MAIN_AREA,
  type PanelId,
  pushPanel,
  type Side,
  shownBy,
  stackOf,
  windowPanel,
} from '#domain/workspace/layout';
import { language, useT } from '../../i18n/i18n';
import { Menu } from '../../ui/Menu';
import type { MenuItem } from '../../ui/PopMenuPopup';
import { showToastHere } from '../../ui/toastStore';
import { useValue } from '../../useValue';
import { focusTab, maximised } from './attention';
import styles from './Dock.module.css';
import { openWindow } from './windowGroup';
import { panelKind } from './panels';
import { edit, layout } from './store';
import { usePanelName } from './Tab';

interface StackActionsProps {
  /** The panel that its stack shows. */
  id: PanelId;
  floating: boolean;
  area: AreaId;
}

/** The link of a panel, a menu of all that can be done with it, and its end. */
export function StackActions({ id, floating, area }: StackActionsProps) {
  const t = useT();
  const name = usePanelName(id);
  const rightToLeft = isRightToLeft(useValue(language));
  const panel = useValue(useMemo(() => computed(() => layout.value.panels[id]), [id]));
  const large = useValue(maximised);
  const isLarge = large !== undefined && stackOf(layout.peek(), large)?.active === id;
  if (!panel) return null;
  const kind = panelKind(panel.kind);
  const act = (make: () => void) => () => {
    make();
    focusTab(id);
  };
  const push = (text: string, side: Side): MenuItem => ({
    text,
    onSelect: act(() => edit((now) => pushPanel(now, id, side))),
  });
  const [left, right]: [Side, Side] = rightToLeft ? ['end', 'start'] : ['start', 'end'];
  const toWindow = async () => {
    const moved = windowPanel(layout.peek(), id);
    if (!moved) return;
    edit(() => moved.layout);
    if (!(await openWindow(moved.area))) showToastHere(t('workspace.blocked'), 'error');
  };
  return (
    <div className={styles.actions}>
      {kind?.instrument && <LinkMenu id={id} link={panel.link} name={name} />}
      <Menu
        label={t('workspace.actions', { name })}
        className={styles.action}
        groups={[
          [
            push(t('workspace.moveLeft'), left),
            push(t('workspace.moveRight'), right),
            push(t('workspace.moveUp'), 'top'),
            push(t('workspace.moveDown'), 'bottom'),
          ],
          [
            isLarge
              ? {
                  text: t('workspace.restore'),
                  onSelect: act(() => {
                    maximised.value = undefined;
                  }),
                }
              : {
                  text: t('workspace.maximise'),
                  onSelect: act(() => {
                    maximised.value = id;
                  }),
                },
            floating
              ? {
                  text: t('workspace.dock'),
                  onSelect: act(() => edit((now) => dockPanel(now, id, { area, side: 'end' }))),
                }
              : {
                  text: t('workspace.float'),
                  onSelect: act(() => edit((now) => floatPanel(now, id))),
                },
            { text: t('workspace.window'), onSelect: () => void toWindow() },
            ...(area === MAIN_AREA
              ? []
              : [
                  {
                    text: t('workspace.back'),
                    onSelect: () =>
                      edit((now) => dockPanel(now, id, { area: MAIN_AREA, side: 'end' })),
                  },
                ]),
          ],
        ]}
      >
        <EllipsisVertical size={16} aria-hidden="true" />
      </Menu>
      <button
        type="button"
        className={styles.action}
        aria-label={t('workspace.close', { name })}
        title={t('workspace.close', { name })}
        onClick={() => edit((now) => closePanel(now, id))}
      >
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  );
}

function LinkMenu({ id, link, name }: { id: PanelId; link: Link | undefined; name: string }) {
  const t = useT();
  const choose = (next: Link | undefined) => () => edit((now) => linked(now, id, next));
  const present = link
    ? t('workspace.linkOf', { name, number: link })
    : t('workspace.linkOfNone', { name });
  return (
    <Menu
      label={`${present}\n${t('workspace.linkHint')}`}
      className={styles.action}
      groups={[
        LINKS.map((number) => ({
          text: t('workspace.link', { number }),
          closes: true,
          checked: link === number,
          onSelect: choose(number),
        })),
        [
          {
            text: t('workspace.linkNone'),
            closes: true,
            checked: link === undefined,
            onSelect: choose(undefined),
          },
        ],
      ]}
    >
      <span className={styles.link} data-link={link} aria-hidden="true">
        {link ?? '–'}
      </span>
    </Menu>
  );
}

/** A panel that leaves a link keeps what it shows; the first one of a link brings its instrument. */
function linked(now: typeof layout.value, id: PanelId, link: Link | undefined) {
  const shown = shownBy(now, id);
  const next = changePanel(now, id, { ...shown, link });
  return link && now.links[link]?.code === undefined && shown.code !== undefined
    ? changeShared(next, link, { code: shown.code })
    : next;
}
