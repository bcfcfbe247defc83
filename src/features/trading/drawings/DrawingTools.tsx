import { Bell, Lock, LockOpen, Palette, Pencil, Trash2, Undo2, X } from 'lucide-react';
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Instrument } from '#domain/market/instrument';
import type { ChartPeriod } from '#domain/market/kline';
import { openAlertForm } from '../../../alerts/alertWish';
import { language, useT } from '../../../i18n/i18n';
import { usePracticeOrders } from '../../../positions/practiceOrders';
import { useFeature } from '../../../requests/accountSettings';
import { IconButton } from '../../../ui/Button';
import { holdEntry } from '../../../ui/sheetHistory';
import { showToastHere } from '../../../ui/toastStore';
import { useMediaQuery, WIDE } from '../../../ui/useMediaQuery';
import { useValue } from '../../../useValue';
import { BarList } from '../chart/barList';
import type { ChartClock } from '../chart/chartClock';
import { onThemeChange } from '../chart/chartColours';
import type { LiveChart } from '../chart/liveChart';
import { DrawingsSheet } from './DrawingsSheet';
import styles from './DrawingTools.module.css';
import { ANCHORS, type Drawing, MOST_DRAWINGS } from './drawing';
import { createDrawingLayer, type DrawingLayer, type LayerFormat } from './drawingLayer';
import { createDrawingState, dropDraft } from './drawingState';
import { drawingsStore } from './drawingsStore';
import { drawingThemeOf } from './drawingTheme';
import { changing } from './edits';
import { BarTimes } from './place';
import { StyleChoice } from './StyleChoice';
import { TextSheet } from './TextSheet';
import { ToolBar } from './ToolBar';
import { nameOf, placeOf, shownPrice, textsOf } from './texts';
import { toolsOpen, useToolsOpen } from './toolsOpen';
import { watchableOf } from './watchable';

export interface DrawingToolsProps {
  live: LiveChart;
  instrument: Instrument;
  period: ChartPeriod;
  clock: ChartClock;
}

const NO_BARS = new BarList();

function closeTools(): void {
  toolsOpen.value = undefined;
}

/** The drawings of an instrument on its chart, and the tools (screens.md#drawings). */
export default function DrawingTools({ live, instrument, period, clock }: DrawingToolsProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const { code, precision } = instrument;
  const practice = usePracticeOrders();
  const store = drawingsStore(code, precision, practice?.drawings);
  const [state] = useState(createDrawingState);
  const [layer, setLayer] = useState<DrawingLayer>();
  const [sheet, setSheet] = useState<'list' | 'style' | 'text'>();
  const root = useRef<HTMLFieldSetElement>(null);
  const space = useValue(live.space);
  const axis = useValue(live.axisMode);
  const open = useToolsOpen() === live;
  const { list, done } = useValue(store.history);
  const tool = useValue(state.tool);
  const placed = useValue(state.placed);
  const selectedId = useValue(state.selected);
  const anchor = useValue(state.anchor);
  const asking = useValue(state.asking);
  const deleted = useValue(state.deleted)?.[0]?.before;
  const beside = useValue(state.beside);
  const selected = list.find(({ id }) => id === selectedId);
  const hasConditions = useFeature('conditions');

  const times = useMemo(() => {
    const bars = () => live.space.peek()?.bars() ?? NO_BARS;
    return new BarTimes(
      {
        get length() {
          return bars().length;
        },
        at: (index) => bars().at(index),
        indexOf: (time) => bars().indexOf(time),
      },
      period,
    );
  }, [live, period]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: texts are written in the language
  useLayoutEffect(() => {
    const element = root.current;
    if (!space || !element) return;
    const format: LayerFormat = {
      times,
      precision,
      formatPrice: (price) => shownPrice(price, precision),
      textsOf: (drawing) => textsOf(drawing, times, precision),
    };
    const created = createDrawingLayer(space, state, store, format, () => {
      const isOpen = toolsOpen.peek() === live;
      if (isOpen) closeTools();
      return isOpen;
    });
    const stop = onThemeChange(() => created.setTheme(drawingThemeOf(element)));
    setLayer(created);
    return () => {
      stop();
      created.end();
      setLayer(undefined);
    };
  }, [space, state, store, times, precision, shownLanguage]);

  // The points stay over periods, and nothing of one instrument is for another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is the instrument's
  useLayoutEffect(
    () => () => {
      dropDraft(state);
      state.asking.value = undefined;
    },
    [state, store],
  );
  // Its button takes back the last edit: it must be the deletion, whoever has edited since.
  useLayoutEffect(() => {
    if (state.deleted.peek() !== done.at(-1)) state.deleted.value = undefined;
  }, [state, done]);

  const leaveTool = useCallback(() => {
    state.tool.value = undefined;
  }, [state]);
  // On a desktop the tools are no sheet: another instrument leaves them open.
  const wide = useMediaQuery(WIDE);
  const covers = open && !wide;
  // Back first leaves the tool, then the tools.
  useLayoutEffect(() => (covers ? holdEntry(closeTools) : undefined), [covers]);
  const hasTool = tool !== undefined;
  useLayoutEffect(() => (hasTool ? holdEntry(leaveTool) : undefined), [hasTool, leaveTool]);
  useEffect(() => {
    if (!open) leaveTool();
  }, [open, leaveTool]);

  const change = (make: (drawing: Drawing) => Drawing) => {
    if (selected) store.edit((drawings) => changing(drawings, selected.id, make));
  };
  const choose = (next: typeof tool) => {
    if (next && list.length >= MOST_DRAWINGS) {
      showToastHere(t('trade.draw.full', { count: MOST_DRAWINGS }), 'error');
      return;
    }
    state.deleted.value = undefined;
    state.selected.value = undefined;
    state.beside.value = false;
    state.tool.value = next;
    space?.host.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey } = event;
    const ours = key === 'Escape' || key === 'Delete' || ctrlKey || metaKey;
    if (ours && layer?.key(event.nativeEvent)) event.preventDefault();
    else if (key === 'Escape') closeTools();
  };

  // No alert watches the past.
  const watchable = practice ? undefined : selected && watchableOf(selected, axis);
  const shape = selected && layer?.shape(selected.id);
  const { height = 0 } = space?.size() ?? {};
  const low = shape?.anchors.every(({ y }) => y > height / 2) ?? false;
  const said = selected
    ? [
        nameOf(selected),
        placeOf(selected, clock, precision),
        selected.locked ? t('trade.draw.locked') : '',
        anchor === undefined
          ? ''
          : t('trade.draw.point', { number: anchor + 1, count: ANCHORS[selected.kind] }),
      ]
        .filter(Boolean)
        .join('. ')
    : '';
  return (
    <fieldset
      ref={root}
      className={styles.tools}
      aria-label={t('trade.draw.list')}
      onKeyDown={onKeyDown}
    >
      {open && (
        <ToolBar
          tool={tool}
          history={store}
          onTool={choose}
          onList={() => setSheet('list')}
          onClose={closeTools}
        />
      )}
      {tool && (
        <div className={styles.card} data-side="top">
          <p className={styles.hint} role="status" dir="auto">
            {t(`trade.draw.kind.${tool}`)}:{' '}
            {t('trade.draw.point', {
              number: Math.min(placed + 1, ANCHORS[tool]),
              count: ANCHORS[tool],
            })}
            {beside && <strong className={styles.beside}>{t('trade.draw.priceOnly')}</strong>}
          </p>
          <IconButton label={t('common.cancel')} onClick={leaveTool}>
            <X size={20} />
          </IconButton>
        </div>
      )}
      {!tool && selected && (
        <div
          className={styles.card}
          data-side={low ? 'top' : 'bottom'}
          role="toolbar"
          aria-label={nameOf(selected)}
        >
          {!selected.locked && (
            <>
              <IconButton label={t('trade.draw.style')} onClick={() => setSheet('style')}>
                <Palette size={20} />
              </IconButton>
              {selected.kind === 'text' && (
                <IconButton label={t('trade.draw.edit')} onClick={() => setSheet('text')}>
                  <Pencil size={20} />
                </IconButton>
              )}
            </>
          )}
          {(watchable?.price || (watchable?.condition && hasConditions)) && (
            <IconButton
              label={t('alerts.onLine')}
              onClick={() => openAlertForm(code, watchable.price, watchable)}
            >
              <Bell size={20} />
            </IconButton>
          )}
          <IconButton
            label={t(selected.locked ? 'trade.draw.unlock' : 'trade.draw.lock')}
            onClick={() => change((drawing) => ({ ...drawing, locked: !drawing.locked }))}
          >
            {selected.locked ? <Lock size={20} /> : <LockOpen size={20} />}
          </IconButton>
          {!selected.locked && (
            <IconButton label={t('common.delete')} onClick={() => layer?.deleteSelected()}>
              <Trash2 size={20} />
            </IconButton>
          )}
        </div>
      )}
      {!tool && !selected && deleted && (
        <div className={styles.card} data-side="bottom">
          <p className={styles.hint} role="status" dir="auto">
            {t('trade.draw.deleted', { name: nameOf(deleted) })}
          </p>
          <IconButton label={t('trade.draw.undo')} onClick={() => store.undo()}>
            <Undo2 size={20} />
          </IconButton>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {list.length > 0 && (
        <ul className="visually-hidden" aria-label={t('trade.draw.list')}>
          {list.map((drawing) => (
            <li key={drawing.id}>
              {nameOf(drawing)} {placeOf(drawing, clock, precision)}
            </li>
          ))}
        </ul>
      )}
      <DrawingsSheet
        open={sheet === 'list'}
        onClose={() => setSheet(undefined)}
        instrument={instrument}
        store={store}
        clock={clock}
        onPick={(id) => {
          state.selected.value = id;
          state.anchor.value = undefined;
          setSheet(undefined);
        }}
      />
      <StyleChoice
        open={sheet === 'style' && selected !== undefined}
        onClose={() => setSheet(undefined)}
        style={selected?.style}
        onChange={(style) => change((drawing) => ({ ...drawing, style }))}
      />
      <TextSheet
        open={asking !== undefined || (sheet === 'text' && selected !== undefined)}
        text={asking ? '' : (selected?.text ?? '')}
        onClose={() => {
          state.asking.value = undefined;
          setSheet(undefined);
        }}
        onDone={(text) => {
          if (asking) layer?.add({ ...asking, text });
          else change((drawing) => ({ ...drawing, text }));
          state.asking.value = undefined;
          setSheet(undefined);
        }}
      />
    </fieldset>
  );
}
