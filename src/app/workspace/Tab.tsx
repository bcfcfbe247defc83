import { computed } from '@preact/signals-react';
import { type HTMLAttributes, useMemo } from 'react';
import { activatePanel, type PanelId, stackOf } from '#domain/workspace/layout';
import { useT } from '../../i18n/i18n';
import { useValue } from '../../useValue';
import { useRow } from '../../worker/useRow';
import { maximised, tabId } from './attention';
import styles from './Dock.module.css';
import { useCode } from './mainGroup';
import { panelKind } from './panels';
import { edit, layout } from './store';

interface TabProps extends HTMLAttributes<HTMLButtonElement> {
  id: PanelId;
  active: boolean;
}

/** The tab of a panel, which names it and its instrument. */
export function Tab({ id, active, ...handlers }: TabProps) {
  const name = usePanelName(id);
  return (
    <button
      type="button"
      {...handlers}
      id={tabId(id)}
      className={styles.tab}
      role="tab"
      // A name that is too long loses its end, whatever its script.
      dir="auto"
      data-tab={id}
      aria-selected={active}
      aria-controls={`panel-${id}`}
      aria-keyshortcuts="Delete F6"
      tabIndex={active ? 0 : -1}
      onClick={() => edit((now) => activatePanel(now, id))}
      onDoubleClick={() => {
        // The one that was may be closed, or of another layout.
        const large = stackOf(layout.peek(), maximised.peek() ?? '');
        maximised.value = large?.panels.includes(id) ? undefined : id;
      }}
    >
      {name}
    </button>
  );
}

/** The name of a panel: what it is and, where it shows one, of which instrument. */
export function usePanelName(id: PanelId): string {
  const t = useT();
  const kindOf = useMemo(() => computed(() => layout.value.panels[id]?.kind ?? ''), [id]);
  const kind = panelKind(useValue(kindOf));
  const row = useRow(useCode(id));
  if (!kind) return '';
  const title = t(kind.title);
  if (kind.instrument !== 'named' || !row) return title;
  return kind.id === 'chart' ? row.instrument.name : `${title} · ${row.instrument.name}`;
}
