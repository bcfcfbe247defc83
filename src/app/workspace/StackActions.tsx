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
  MAIN_AREA,
  PANEL_GROUPS,
  type PanelGroup,
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
import { useRow } from '../../worker/useRow';
import { focusTab, maximised } from './attention';
import styles from './Dock.module.css';
import { useCode } from './mainGroup';
import { panelKind } from './panels';
import { edit, layout } from './store';
import { usePanelName } from './Tab';
import { openWindow } from './windowGroup';

interface StackActionsProps {
  /** The panel that its stack shows. */
  id: PanelId;
  floating: boolean;
  area: AreaId;
}

/** The group of a panel, a menu of all that can be done with it, and its end. */
export function StackActions({ id, floating, area }: StackActionsProps) {
  const t = useT();
  const name = usePanelName(id);
  const rightToLeft = isRightToLeft(useValue(language));
  const panel = useValue(useMemo(() => computed(() => layout.value.panels[id]), [id]));
  const canOpen = useValue(
    useMemo(() => computed(() => windowPanel(layout.value, id) !== undefined), [id]),
  );
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
      {kind?.instrument && <GroupMenu id={id} group={panel.link} name={name} />}
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
            {
              text: t('workspace.window'),
              disabled: !canOpen,
              onSelect: () => void toWindow(),
            },
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
        <EllipsisVertical size={16} />
      </Menu>
      <button
        type="button"
        className={styles.action}
        aria-label={t('workspace.close', { name })}
        title={t('workspace.close', { name })}
        onClick={() => edit((now) => closePanel(now, id))}
      >
        <X size={16} />
      </button>
    </div>
  );
}

function GroupMenu({
  id,
  group,
  name,
}: {
  id: PanelId;
  group: PanelGroup | undefined;
  name: string;
}) {
  const t = useT();
  const code = useRow(useCode(id))?.instrument.code;
  const choose = (next: PanelGroup | undefined) => () => edit((now) => linked(now, id, next, code));
  const present = group
    ? t('workspace.linkOf', { name, number: group })
    : t('workspace.linkOfNone', { name });
  return (
    <Menu
      label={`${present}\n${t('workspace.linkHint')}`}
      className={styles.action}
      groups={[
        PANEL_GROUPS.map((number) => ({
          text: t('workspace.link', { number }),
          closes: true,
          checked: group === number,
          onSelect: choose(number),
        })),
        [
          {
            text: t('workspace.linkNone'),
            closes: true,
            checked: group === undefined,
            onSelect: choose(undefined),
          },
        ],
      ]}
    >
      <span className={styles.group} data-group={group} aria-hidden="true">
        {group ?? '–'}
      </span>
    </Menu>
  );
}

/**
 * A panel that leaves a group keeps what it shows, `first` where no instrument was chosen; the first one of a group brings its
 * instrument.
 */
function linked(
  now: typeof layout.value,
  id: PanelId,
  group: PanelGroup | undefined,
  first: string | undefined,
) {
  const shown = shownBy(now, id);
  const { code = first } = shown;
  const next = changePanel(now, id, { ...shown, code, link: group });
  return group && now.links[group]?.code === undefined && code !== undefined
    ? changeShared(next, group, { code })
    : next;
}
