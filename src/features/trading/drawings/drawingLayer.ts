import { batch, effect } from '@preact/signals-core';
import { decimal } from '#domain/core/decimal';
import { uuidOf } from '#domain/core/uuid';
import { keyCharacter } from '../../../shortcuts/press';
import type { ChartSpace } from '../chart/chartSpace';
import { pointIn } from '../chart/pointIn';
import { createSheet, type SheetScale, viewOf } from '../chart/sheet';
import { ANCHORS, type Anchor, type Drawing, type Kind } from './drawing';
import { lastStyle, magnet } from './drawingSettings';
import { type DrawingState, dropDraft } from './drawingState';
import { priceText } from './drawingsFile';
import type { DrawingsStore } from './drawingsStore';
import { adding, changing, removing } from './edits';
import {
  type Box,
  distanceTo,
  magnetic,
  type Point,
  type Projection,
  type Shape,
  shapeOf,
} from './geometry';
import { type DrawingTheme, gripOf, LIFT, paintDrawing, paintHandles, paintPoint } from './paint';
import { type BarTimes, movedAnchors } from './place';

/** A finger is less precise than a mouse: px. */
const REACH = { mouse: 6, pen: 12, touch: 18 } as const;
const HANDLE = { mouse: 12, pen: 16, touch: 22 } as const;
const MAGNET = { mouse: 12, pen: 16, touch: 24 } as const;
/** Shorter movements are taps, not drags: px. */
const SLOP = { mouse: 3, pen: 6, touch: 8 } as const;
/** A long step of the arrow keys: bars, and px of the price. */
const LONG_BARS = 10;
const LONG_PX = 16;

type Pointer = keyof typeof REACH;

/** What the layer is told by the chart's period, instrument and language. */
export interface LayerFormat {
  times: BarTimes;
  /** Decimals of a price. */
  precision: number;
  formatPrice(price: string): string;
  /** What is written beside a drawing. */
  textsOf(drawing: Drawing): readonly string[];
}

export interface DrawingLayer {
  /** Another theme, language or period. */
  setTheme(theme: DrawingTheme): void;
  /** Handles a key of the chart; whether it was one of the layer's. */
  key(event: KeyboardEvent): boolean;
  /** Adds a drawing, which is selected. */
  add(drawing: Drawing): void;
  /** Deletes the selected drawing, unless it is locked. */
  deleteSelected(): void;
  /** Where a drawing is in the pane. */
  shape(id: string): Shape | undefined;
  end(): void;
}

/** A press that moves something. */
interface Press {
  pointer: number;
  kind: Pointer;
  from: Point;
  moved: boolean;
  /** It sets a point of a new drawing, with which the tool may be done. */
  sets: boolean;
  /** What it moves. */
  held?: { drawing: Drawing; anchor: number | undefined; at: Point };
}

/**
 * The drawings of a chart and what the user does to them, on a canvas of their own: the library repaints bars, grid and axes with its
 * series and primitives at each price, at four times the cost. `closeTools` returns whether they were open.
 */
export function createDrawingLayer(
  space: ChartSpace,
  state: DrawingState,
  store: DrawingsStore,
  format: LayerFormat,
  closeTools: () => boolean,
): DrawingLayer {
  const sheet = createSheet();
  let theme: DrawingTheme | undefined;
  /** A drawing where it is dragged to. */
  let moved: Drawing | undefined;
  /** The point that is being set. */
  let point: { anchor: Anchor; lifted: boolean } | undefined;
  let press: Press | undefined;
  let lastKind: Pointer = 'mouse';
  /** Where labels were painted, by drawing. */
  const boxes = new Map<string, readonly Box[]>();
  let painted = '';

  const yOf = (price: number) => space.yOf(price);
  const projection = (): Projection => ({
    ...space.size(),
    yOf,
    xOf(time) {
      const index = format.times.indexOf(time);
      return index === undefined ? undefined : space.xOf(index);
    },
  });
  const drawings = () => {
    const { list } = store.history.peek();
    const shown = moved
      ? list.map((drawing) => (drawing.id === moved?.id ? moved : drawing))
      : list;
    const draft = state.draft.peek();
    return draft ? [...shown, draft] : shown;
  };
  const found = (id: string | undefined) =>
    store.history.peek().list.find((drawing) => drawing.id === id);

  const paint = () =>
    sheet.draw((context, scale) => {
      boxes.clear();
      if (!theme) return;
      context.save();
      context.scale(scale.horizontalPixelRatio, scale.verticalPixelRatio);
      const pane = projection();
      const canvas = { context, theme, width: pane.width, height: pane.height };
      const selected = state.selected.peek();
      const draft = state.draft.peek();
      for (const drawing of drawings()) {
        const shape = shapeOf(drawing, pane);
        if (!shape) continue;
        boxes.set(drawing.id, paintDrawing(canvas, drawing, shape, format.textsOf(drawing)));
        if (drawing.id !== selected && drawing !== draft) continue;
        paintHandles(
          canvas,
          drawing === draft ? shape.anchors.slice(0, state.placed.peek()) : shape.anchors,
          {
            locked: drawing.locked || drawing === draft,
            touch: lastKind === 'touch',
            chosen: state.anchor.peek(),
          },
        );
      }
      const aimed = point && shapeOf({ kind: 'text', anchors: [point.anchor] }, pane)?.anchors[0];
      if (point && aimed) {
        paintPoint(canvas, aimed, format.formatPrice(point.anchor.price), point.lifted);
      }
      context.restore();
    });
  /** The library paints at each change of a series; the drawings only where its view has changed. */
  const paintInNewView = (scale: SheetScale) => {
    const { width, height } = space.size();
    const view = [
      width,
      height,
      scale.horizontalPixelRatio,
      scale.bitmapSize.width,
      scale.bitmapSize.height,
      space.bars()?.at(0)?.time,
      space.bars()?.length,
      space.xOf(0),
      space.xOf(1),
      space.priceAt(0),
      space.priceAt(height / 2),
      space.priceAt(height),
    ].join(' ');
    if (view === painted) return;
    painted = view;
    paint();
  };
  const views = [viewOf(sheet, paintInNewView)];
  const detach = space.attach({ paneViews: () => views });

  /** The anchor at a place, with the magnet where `reach` is given. */
  const anchorAt = ({ x, y }: Point, reach: number): Anchor | undefined => {
    const index = space.indexAt(x);
    const time = index === undefined ? undefined : format.times.timeAt(index);
    if (index === undefined || time === undefined || time < 0) return undefined;
    const bar = magnet.peek() ? space.bars()?.at(index) : undefined;
    const caught = bar && magnetic([bar.open, bar.high, bar.low, bar.close], y, reach, yOf);
    const price = exact(caught ?? space.priceAt(y));
    return price === undefined ? undefined : { time, price };
  };
  const exact = (price: number | undefined) =>
    price === undefined || !(price > 0) || price > Number.MAX_SAFE_INTEGER / 10 ** format.precision
      ? undefined
      : priceText(
          decimal(Math.round(price * 10 ** format.precision), format.precision),
          format.precision,
        );

  /** The drawing at a place, the selected one first, then the highest. */
  const drawingAt = (at: Point, kind: Pointer): Drawing | undefined => {
    const pane = projection();
    const near = (drawing: Drawing) => {
      const shape = shapeOf(drawing, pane);
      return shape && distanceTo(at, shape, boxes.get(drawing.id) ?? []) <= REACH[kind];
    };
    const { list } = store.history.peek();
    const selected = found(state.selected.peek());
    if (selected && near(selected)) return selected;
    return [...list].reverse().find(near);
  };
  /** The anchor of the selected drawing at a place. */
  const anchorNear = (at: Point, kind: Pointer): number | undefined => {
    const drawing = found(state.selected.peek());
    const pane = projection();
    const shape = drawing && !drawing.locked ? shapeOf(drawing, pane) : undefined;
    let nearest: number | undefined;
    let distance: number = HANDLE[kind];
    shape?.anchors.forEach((anchor, index) => {
      const grips = kind === 'touch' ? [anchor, gripOf(anchor, pane.height)] : [anchor];
      for (const grip of grips) {
        const apart = Math.max(Math.abs(grip.x - at.x), Math.abs(grip.y - at.y));
        if (apart > distance) continue;
        distance = apart;
        nearest = index;
      }
    });
    return nearest;
  };

  const newDraft = (kind: Kind, anchor: Anchor): Drawing => ({
    id: uuidOf(crypto.getRandomValues(new Uint8Array(16))),
    kind,
    anchors: Array.from({ length: ANCHORS[kind] }, () => anchor),
    style: lastStyle.peek(),
    locked: false,
    text: '',
  });
  /** Shows the point that the next press or release sets. */
  const aim = (at: Point, kind: Pointer, lifted: boolean) => {
    const aimed = anchorAt(at, MAGNET[kind]);
    if (aimed) aimAt(aimed, lifted);
  };
  const aimAt = (anchor: Anchor, lifted: boolean) => {
    point = { anchor, lifted };
    const placed = state.placed.peek();
    const draft = state.draft.peek();
    if (draft) {
      const anchors = draft.anchors.map((set, index) => (index < placed ? set : anchor));
      state.draft.value = { ...draft, anchors };
    }
    paint();
  };
  const setPoint = () => {
    const tool = state.tool.peek();
    if (!point || !tool) return;
    const draft = state.draft.peek() ?? newDraft(tool, point.anchor);
    state.draft.value = draft;
    const placed = state.placed.peek();
    const last = draft.anchors[placed - 1];
    // Twice the same point is no line.
    if (last && last.time === point.anchor.time && last.price === point.anchor.price) return;
    state.placed.value = placed + 1;
    if (placed + 1 < draft.anchors.length) return paint();
    leaveTool();
    if (draft.kind === 'text') state.asking.value = draft;
    else layer.add(draft);
  };
  const leaveTool = () => {
    point = undefined;
    batch(() => {
      dropDraft(state);
      state.tool.value = undefined;
    });
    paint();
  };

  /** A drawing with its anchors moved by the press; undefined where that is not possible. */
  const dragged = ({ from, held, kind }: Press, to: Point): Drawing | undefined => {
    if (!held) return undefined;
    const { drawing, anchor, at } = held;
    if (anchor !== undefined) {
      const aimed = anchorAt({ x: at.x + to.x - from.x, y: at.y + to.y - from.y }, MAGNET[kind]);
      if (!aimed) return undefined;
      point = { anchor: aimed, lifted: kind === 'touch' };
      const anchors = drawing.anchors.map((other, index) => (index === anchor ? aimed : other));
      return { ...drawing, anchors };
    }
    const [first, last] = [space.indexAt(from.x), space.indexAt(to.x)];
    const [before, after] = [space.priceAt(from.y), space.priceAt(to.y)];
    if (first === undefined || last === undefined || before === undefined || after === undefined)
      return undefined;
    const steps = Math.round((after - before) * 10 ** format.precision);
    return shifted(drawing, last - first, steps);
  };
  const shifted = (drawing: Drawing, bars: number, steps: number): Drawing | undefined => {
    if (!Number.isSafeInteger(steps)) return undefined;
    const anchors = movedAnchors(drawing.anchors, bars, steps, format.times, format.precision);
    return anchors && { ...drawing, anchors };
  };
  const replace = (next: Drawing) =>
    store.edit((list) =>
      changing(list, next.id, (drawing) => ({ ...drawing, anchors: next.anchors })),
    );

  const inPane = ({ x, y }: Point) => {
    const { width, height } = space.size();
    return x >= 0 && y >= 0 && x <= width && y <= height;
  };
  const kindOf = ({ pointerType }: PointerEvent): Pointer =>
    pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse';

  const take = (event: PointerEvent) => {
    space.host.setPointerCapture(event.pointerId);
    // The press that would give it is kept from the browser.
    space.host.focus({ preventScroll: true });
    event.stopPropagation();
  };
  const down = (event: PointerEvent) => {
    if (!(event.target instanceof Node) || !space.host.contains(event.target)) return;
    const at = pointIn(space.host, event);
    const kind = kindOf(event);
    lastKind = kind;
    state.deleted.value = undefined;
    if (press) return event.stopPropagation();
    const sets = state.tool.peek() !== undefined;
    state.beside.value = sets && !inPane(at);
    if (!event.isPrimary || event.button !== 0 || !inPane(at)) return;
    press = { pointer: event.pointerId, kind, from: at, moved: false, sets };
    if (sets) {
      take(event);
      aim(at, kind, false);
      if (kind === 'mouse') setPoint();
      return;
    }
    const selected = found(state.selected.peek());
    const anchor = anchorNear(at, kind);
    const shape = selected && shapeOf(selected, projection());
    if (selected && anchor !== undefined) {
      press.held = { drawing: selected, anchor, at: shape?.anchors[anchor] ?? at };
      return take(event);
    }
    const hit = drawingAt(at, kind);
    // A finger selects by a tap, so that it can scroll the chart over drawings.
    if (!hit || hit.locked || (hit.id !== selected?.id && kind !== 'mouse')) return;
    if (hit.id !== selected?.id && space.hasLineAt(at.y, REACH[kind])) return;
    press.held = { drawing: hit, anchor: undefined, at };
    take(event);
    select(hit.id);
  };
  const move = (event: PointerEvent) => {
    const kind = kindOf(event);
    const at = pointIn(space.host, event);
    if (!press) return hover(event, at, kind);
    if (event.pointerId !== press.pointer) return;
    press.moved ||= Math.hypot(at.x - press.from.x, at.y - press.from.y) > SLOP[kind];
    if (press.sets || press.held) event.stopPropagation();
    if (!press.moved) return;
    if (press.sets) {
      if (!state.tool.peek()) return;
      return aimFrom(at, kind);
    }
    const next = dragged(press, at);
    if (!next) return;
    moved = next;
    paint();
  };
  /** A finger that moves holds the point above itself. */
  const aimFrom = (at: Point, kind: Pointer) => {
    const lifted = kind === 'touch';
    aim(lifted ? { x: at.x, y: at.y - LIFT } : at, kind, lifted);
  };
  const hover = (event: PointerEvent, at: Point, kind: Pointer) => {
    if (event.pointerType !== 'mouse' || event.buttons !== 0) return;
    const inside = event.target instanceof Node && space.host.contains(event.target) && inPane(at);
    if (state.tool.peek()) {
      if (inside) aim(at, kind, false);
      return;
    }
    const over = inside && (anchorNear(at, kind) !== undefined || drawingAt(at, kind));
    space.host.toggleAttribute('data-over-drawing', Boolean(over));
  };
  const up = (event: PointerEvent) => {
    if (!press || event.pointerId !== press.pointer) return;
    const { kind, moved: far, held, from, sets } = press;
    const done = event.type === 'pointerup';
    press = undefined;
    if (sets || held) event.stopPropagation();
    if (sets) {
      if (done && state.tool.peek() && (kind !== 'mouse' || far)) {
        if (far) aimFrom(pointIn(space.host, event), kind);
        setPoint();
      }
      if (kind !== 'mouse') point = undefined;
      return paint();
    }
    const result = moved;
    point = undefined;
    moved = undefined;
    if (held) {
      if (done && far && result) replace(result);
      return paint();
    }
    // A press that the chart got: a tap selects, one beside all drawings lets go.
    if (!done || far || !inPane(pointIn(space.host, event))) return;
    const hit = drawingAt(from, kind);
    // Marks below it are not meant.
    if (hit) event.preventDefault();
    select(hit?.id);
  };
  /** The library listens to the mouse and touch events that follow pointer events. */
  const swallow = (event: Event) => {
    const ours = press && (press.held || press.sets);
    if (!ours || !(event.target instanceof Node) || !space.host.contains(event.target)) return;
    event.stopPropagation();
    if (event.cancelable) event.preventDefault();
  };

  const select = (id: string | undefined) =>
    batch(() => {
      if (state.selected.peek() !== id) state.anchor.value = undefined;
      state.selected.value = id;
    });

  const keyInTool = (event: KeyboardEvent, bars: number, steps: number): boolean => {
    const { width, height } = space.size();
    const from = point?.anchor ?? anchorAt({ x: width / 2, y: height / 2 }, 0);
    if (event.key === 'Enter' && point) setPoint();
    else if (event.key === 'Enter' || bars !== 0 || steps !== 0) {
      const [anchor] =
        (from && movedAnchors([from], bars, steps, format.times, format.precision)) ?? [];
      if (anchor) aimAt(anchor, true);
    } else return false;
    return true;
  };
  const keyOnSelected = (
    drawing: Drawing,
    event: KeyboardEvent,
    bars: number,
    steps: number,
  ): boolean => {
    const { key } = event;
    if (key === 'Delete' || key === 'Backspace') layer.deleteSelected();
    else if (key === 'Enter') {
      const next = (state.anchor.peek() ?? -1) + 1;
      state.anchor.value = next < drawing.anchors.length ? next : undefined;
    } else if (bars !== 0 || steps !== 0) {
      if (drawing.locked) return true;
      const anchor = state.anchor.peek();
      const whole = shifted(drawing, bars, steps);
      const next =
        whole && anchor !== undefined
          ? {
              ...drawing,
              anchors: drawing.anchors.map((old, index) =>
                index === anchor ? (whole.anchors[index] ?? old) : old,
              ),
            }
          : whole;
      if (next) replace(next);
    } else return false;
    return true;
  };
  /** Smallest steps of the price in a long step, at least ten. */
  const longSteps = () => {
    const { height } = space.size();
    const [one, other] = [space.priceAt(height / 2), space.priceAt(height / 2 - LONG_PX)];
    const steps =
      one === undefined || other === undefined
        ? 0
        : Math.round((other - one) * 10 ** format.precision);
    return Math.max(10, Math.abs(steps));
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.target !== space.host || !layer.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Before the chart's own listeners, which are on the host.
  const around = space.host.parentElement ?? space.host;
  const listeners = [
    ['pointerdown', down],
    ['pointermove', move],
    ['mousedown', swallow],
    ['touchstart', swallow],
    ['touchmove', swallow],
    ['keydown', onKey],
  ] as [name: string, listener: EventListener][];
  // A press that the chart got may end beside it.
  const ends = ['pointerup', 'pointercancel'] as const;

  const layer: DrawingLayer = {
    setTheme(next) {
      theme = next;
      paint();
    },
    key(event) {
      const { key, altKey } = event;
      if (altKey) return false;
      if (event.ctrlKey || event.metaKey) {
        const letter = keyCharacter(event);
        if (letter === 'y' || (letter === 'z' && event.shiftKey)) store.redo();
        else if (letter === 'z') store.undo();
        else return false;
        return true;
      }
      const tool = state.tool.peek();
      const selected = found(state.selected.peek());
      if (key === 'Escape') {
        if (tool) leaveTool();
        else if (selected) select(undefined);
        else return closeTools();
        return true;
      }
      const [across, upwards] = ARROWS[key] ?? [0, 0];
      const bars = across * (event.shiftKey ? LONG_BARS : 1);
      const steps = upwards * (event.shiftKey && upwards !== 0 ? longSteps() : 1);
      if (tool) return keyInTool(event, bars, steps);
      return selected ? keyOnSelected(selected, event, bars, steps) : false;
    },
    add(drawing) {
      store.edit((list) => adding(list, [drawing]));
      select(drawing.id);
    },
    deleteSelected() {
      const drawing = found(state.selected.peek());
      if (!drawing || drawing.locked) return;
      const edit = store.edit((list) => removing(list, new Set([drawing.id])));
      batch(() => {
        select(undefined);
        state.deleted.value = edit;
      });
    },
    shape(id) {
      const drawing = found(id);
      return drawing && shapeOf(drawing, projection());
    },
    end() {
      unwatch();
      detach();
      sheet.remove();
      space.host.removeAttribute('data-over-drawing');
      space.host.removeAttribute('data-drawing');
      for (const [name, listener] of listeners) around.removeEventListener(name, listener, ACTIVE);
      for (const name of ends) window.removeEventListener(name, up, ACTIVE);
    },
  };

  for (const [name, listener] of listeners) around.addEventListener(name, listener, ACTIVE);
  for (const name of ends) window.addEventListener(name, up, ACTIVE);
  let tool = state.tool.peek();
  const unwatch = effect(() => {
    const present = state.tool.value;
    if (present !== tool) {
      point = undefined;
      dropDraft(state);
    }
    tool = present;
    space.host.toggleAttribute('data-drawing', present !== undefined);
    for (const shown of [store.history, state.selected, state.anchor]) shown.value;
    paint();
  });
  return layer;
}

const ACTIVE = { capture: true, passive: false } as const;
const ARROWS: Record<string, readonly [across: number, upwards: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
