import { computed } from '@preact/signals-react';
import {
  Activity,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { isRightToLeft } from '#domain/core/language';
import {
  type AreaId,
  activatePanel,
  type Box,
  closePanel,
  dockPanel,
  floatPanel,
  moveSash,
  type PanelId,
  type PlacedStack,
  placedStacks,
  resetSash,
  type Sash,
  sashesOf,
} from '#domain/workspace/layout';
import { language, useT } from '../../i18n/i18n';
import { isCovered } from '../../shortcuts/press';
import { EmptyState } from '../../ui/State';
import { useValue } from '../../useValue';
import {
  chartInUse,
  chartsInSight,
  focusTab,
  lastUsed,
  maximised,
  passPanelFocus,
  tabId,
} from './attention';
import styles from './Dock.module.css';
import { type Drop, dropAt } from './dropTarget';
import { FloatGrip } from './FloatGrip';
import { panelGrows } from './needs';
import { PanelBody } from './PanelBody';
import { StackActions } from './StackActions';
import { edit, layout, usualLayout } from './store';
import { Tab } from './Tab';
import { TicketButtons } from './TicketButtons';
import { useFitted } from './useFitted';

/** A press becomes a drag when the pointer has moved this far, px. */
const DRAG = 6;

/** Boxes as custom properties, from which the styles compute lengths. */
function place({ x, y, width, height }: Box): CSSProperties {
  return { '--x': x, '--y': y, '--w': width, '--h': height } as CSSProperties;
}

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/** The panels of an area: docked, stacked and floating (screens.md#workspace). */
export function Dock({ area: areaId }: { area: AreaId }) {
  const t = useT();
  const host = useRef<HTMLDivElement>(null);
  const { area, yielded } = useFitted(areaId, host);
  const large = useValue(maximised);
  const marked = useValue(
    useMemo(
      () => computed(() => (chartsInSight(areaId).length > 1 ? chartInUse(areaId) : undefined)),
      [areaId],
    ),
  );
  const rightToLeft = isRightToLeft(useValue(language));
  const [drop, setDrop] = useState<Drop | 'float'>();
  const dragging = useRef<{ id: PanelId; x: number; y: number; moved: boolean }>(undefined);
  /** Panels that were shown once stay mounted, so that they keep what was typed and scrolled. */
  const used = useRef(new Set<PanelId>());
  const placed = area ? placedStacks(area) : [];
  const whole = placed.find(({ stack }) => large !== undefined && stack.panels.includes(large));
  useStackKeys(whole ? [whole] : placed);
  if (!area) return null;
  const centre = placed.find(({ stack }) => panelGrows(stack.active))?.stack.active;

  const pointAt = (event: PointerEvent<HTMLElement>) => {
    const rect = host.current?.getBoundingClientRect();
    if (!rect) return undefined;
    const fromLeft = (event.clientX - rect.left) / rect.width;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    return {
      x: rightToLeft ? 1 - fromLeft : fromLeft,
      y: (event.clientY - rect.top) / rect.height,
      width: rect.width,
      height: rect.height,
      head: event.currentTarget.offsetHeight / rect.height,
      tab: under?.closest<HTMLElement>('[data-tab]')?.dataset['tab'],
    };
  };
  const dropped = (event: PointerEvent<HTMLElement>, id: PanelId): Drop | 'float' | undefined => {
    const point = pointAt(event);
    if (!point) return undefined;
    // A stack that fills the area is as one that floats over the others.
    if (whole) {
      const floats = [{ stack: whole.stack, box: WHOLE }];
      return dropAt({ ...area, root: undefined, floats }, id, point);
    }
    return event.shiftKey ? 'float' : dropAt(area, id, point);
  };
  const end = () => {
    dragging.current = undefined;
    setDrop(undefined);
  };
  const tabHandlers = (id: PanelId) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || event.pointerType === 'touch') return;
      // A fast pointer leaves the tab before it moves for the first time.
      event.currentTarget.setPointerCapture(event.pointerId);
      dragging.current = { id, x: event.clientX, y: event.clientY, moved: false };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const drag = dragging.current;
      if (drag?.id !== id) return;
      const distance = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
      if (!drag.moved && distance < DRAG) return;
      drag.moved = true;
      setDrop(dropped(event, id));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const drag = dragging.current;
      const target = drag?.moved ? dropped(event, id) : undefined;
      end();
      if (target === 'float') {
        const point = pointAt(event);
        const box = { x: (point?.x ?? 0) - 0.1, y: point?.y ?? 0, width: 0.4, height: 0.5 };
        edit((now) => floatPanel(now, id, box));
      } else if (target) edit((now) => dockPanel(now, id, target.target));
      if (target) focusTab(id);
    },
    onPointerCancel: end,
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape' && dragging.current) end();
    },
  });

  return (
    <div
      ref={host}
      className={styles.dock}
      data-maximised={whole ? '' : undefined}
      data-dragging={drop ? '' : undefined}
      onFocusCapture={use}
      onPointerDownCapture={use}
    >
      {placed.length === 0 && (
        <div className={styles.empty}>
          <EmptyState title={t('workspace.empty')}>{t('workspace.emptyHint')}</EmptyState>
        </div>
      )}
      {placed.flatMap(({ stack, box, floating }, index) => {
        const isWhole = whole?.stack === stack;
        const style = { ...place(isWhole ? WHOLE : box), ...(floating && { zIndex: 4 + index }) };
        const frame = {
          style,
          'data-edge': box.x === 0 || undefined,
          'data-float': floating || undefined,
          'data-away': (whole && !isWhole) || undefined,
          'data-marked': stack.active === marked || undefined,
        };
        // The tabs come before what they show, in the order of reading.
        return [
          <div
            key={`head ${stack.panels[0]}`}
            ref={passPanelFocus}
            className={styles.head}
            data-single={stack.panels.length === 1 || undefined}
            data-panel={stack.active}
            {...frame}
          >
            {floating && <FloatGrip id={stack.active} box={box} host={host} />}
            <div
              className={styles.tabs}
              role="tablist"
              aria-label={t('workspace.tabs')}
              onKeyDown={(event) => walkTabs(event, stack.panels, rightToLeft)}
            >
              {stack.panels.map((id) => (
                <Tab
                  key={id}
                  id={id}
                  active={id === stack.active}
                  aria-current={id === marked || undefined}
                  {...tabHandlers(id)}
                />
              ))}
            </div>
            <StackActions id={stack.active} floating={floating} area={areaId} />
          </div>,
          ...stack.panels.map((id) => {
            const active = id === stack.active;
            const kind = layout.peek().panels[id]?.kind;
            if (active) used.current.add(id);
            return (
              <section
                key={id}
                ref={passPanelFocus}
                id={`panel-${id}`}
                className={styles.body}
                role="tabpanel"
                aria-labelledby={tabId(id)}
                data-panel={id}
                data-kind={kind}
                data-buttons={yielded !== undefined && id === centre ? '' : undefined}
                hidden={!active}
                {...frame}
              >
                {used.current.has(id) && (
                  <Activity mode={active ? 'visible' : 'hidden'}>
                    {/* Another layout may have a panel of another kind under this id. */}
                    <PanelBody key={kind} id={id} />
                  </Activity>
                )}
                {yielded !== undefined && id === centre && <TicketButtons id={yielded} />}
              </section>
            );
          }),
        ];
      })}
      {!whole &&
        sashesOf(area).map((sash) => (
          <SashLine
            key={`${sash.path.join('.')} ${sash.index}`}
            area={areaId}
            sash={sash}
            host={host}
          />
        ))}
      {drop && drop !== 'float' && <div className={styles.drop} style={place(drop.box)} />}
    </div>
  );
}

/** What is pressed or focused is in the panel used last. */
function use({ target }: SyntheticEvent): void {
  const id = (target as Element).closest<HTMLElement>('[data-panel]')?.dataset['panel'];
  if (id !== undefined) lastUsed.value = id;
}

function walkTabs(event: KeyboardEvent, panels: readonly PanelId[], rightToLeft: boolean): void {
  const at = panels.findIndex((id) => tabId(id) === (event.target as Element).id);
  const current = panels[at];
  if (current === undefined) return;
  const forward = rightToLeft ? -1 : 1;
  const steps: Partial<Record<string, PanelId | undefined>> = {
    ArrowRight: panels[at + forward],
    ArrowLeft: panels[at - forward],
    Home: panels[0],
    End: panels.at(-1),
  };
  if (event.key === 'Delete') {
    event.preventDefault();
    edit((now) => closePanel(now, current));
    const next = panels[at + 1] ?? panels[at - 1];
    if (next !== undefined) focusTab(next);
    return;
  }
  const next = steps[event.key];
  if (next === undefined) return;
  event.preventDefault();
  edit((now) => activatePanel(now, next));
  focusTab(next);
}

/** F6 goes from stack to stack, as from pane to pane in other programs. `placed`: those in sight. */
function useStackKeys(placed: readonly PlacedStack[]): void {
  const go = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
    if (placed.length === 0 || isCovered()) return;
    // It goes to a toast first (Base UI), and from there to the panels.
    const { body, activeElement } = document;
    if (body.matches('[data-toast]') && !activeElement?.closest('[data-toasts]')) return;
    event.preventDefault();
    const used = lastUsed.peek();
    const at = placed.findIndex(({ stack }) => used !== undefined && stack.panels.includes(used));
    const step = event.shiftKey ? -1 : 1;
    const next = placed[(at + step + placed.length) % placed.length];
    if (next) focusTab(next.stack.active);
  });
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => go(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const STEP = 0.02;

interface SashLineProps {
  area: AreaId;
  sash: Sash;
  host: React.RefObject<HTMLDivElement | null>;
}

/** A boundary that is moved by dragging or by the arrow keys (WAI-ARIA window splitter). */
function SashLine({ area, sash, host }: SashLineProps) {
  const t = useT();
  const rightToLeft = isRightToLeft(useValue(language));
  const { way, box, share, least, most, length } = sash;
  const row = way === 'row';
  const sign = row && rightToLeft ? -1 : 1;
  const from = useRef<{ at: number; share: number; moved: boolean }>(undefined);
  const at = (event: PointerEvent) => (row ? event.clientX : event.clientY);
  const move = (next: number, passing: boolean) =>
    edit((now) => moveSash(now, area, sash, next), passing);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = {
      [row ? 'ArrowLeft' : 'ArrowUp']: share - STEP * sign,
      [row ? 'ArrowRight' : 'ArrowDown']: share + STEP * sign,
      Home: least,
      End: most,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    move(next, false);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a movable separator
    <div
      className={styles.sash}
      style={place(box)}
      role="separator"
      aria-orientation={row ? 'vertical' : 'horizontal'}
      aria-label={t('workspace.sash')}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={Math.round(least * 100)}
      aria-valuemax={Math.round(most * 100)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => edit((now) => resetSash(now, area, sash, usualLayout()))}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { at: at(event), share, moved: false };
      }}
      onPointerMove={(event) => {
        const rect = host.current?.getBoundingClientRect();
        if (!from.current || !rect) return;
        const distance = at(event) - from.current.at;
        from.current.moved ||= distance !== 0;
        const whole = (row ? rect.width : rect.height) * length;
        if (from.current.moved) move(from.current.share + (distance / whole) * sign, true);
      }}
      onPointerUp={() => {
        if (from.current?.moved) move(share, false);
        from.current = undefined;
      }}
      onPointerCancel={() => {
        from.current = undefined;
      }}
    />
  );
}
