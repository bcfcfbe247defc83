import { batch, computed, signal } from '@preact/signals-core';
import { get, update } from 'idb-keyval';
import { isEqual } from '#domain/core/isEqual';
import {
  arrangedAs,
  arrangementOf,
  changeShared,
  type Layout,
  MAIN_GROUP,
} from '#domain/workspace/layout';
import {
  isShipped,
  type LayoutId,
  type Layouts,
  layoutName,
  MOST_LAYOUTS,
  type OwnId,
  readLayouts,
  writeLayouts,
} from '#domain/workspace/layouts';
import { oneTransaction } from '../../preferences/database';
import { aNumber, aText, stored } from '../../preferences/stored';
import { newKey } from '../../worker/key';
import { layoutsUnsaved } from '../../worker/unsaved';
import { PANEL_KINDS } from './panels';
import { shippedLayout } from './shipped';

/** The name in IndexedDB. */
const KEY = 'workspace';

const FIRST: Layouts = { current: 'one', own: [], layouts: {} };

/** The layouts of this device, and which of them this page shows. */
export const layouts = signal<Layouts>(FIRST);
/** What is kept is of a newer version of the app, and is left alone. */
let newer = false;

/** A layout as the user has it. */
function layoutOf({ layouts: saved }: Layouts, id: LayoutId): Layout {
  return saved[id] ?? shippedLayout(isShipped(id) ? id : 'one');
}

/** The layout that is shown. */
export const layout = computed(() => layoutOf(layouts.value, layouts.value.current));

/** The shown layout as it was shipped. */
export function usualLayout(): Layout | undefined {
  const { current } = layouts.peek();
  return isShipped(current) ? shippedLayout(current) : undefined;
}

/** Most changes of a layout that can be undone. An undo only arranges panels: Ctrl+Z never sends a request. */
const MOST_STEPS = 50;

interface History {
  /** As the layout was when its last change was complete. */
  now: Layout;
  past: readonly Layout[];
  future: readonly Layout[];
}

/** By layout, as long as the page lives. */
const histories = signal<ReadonlyMap<LayoutId, History>>(new Map());

/** Whether the layout that is shown has changes to undo, or to make again. */
export const undoable = computed(() => {
  const { past = [], future = [] } = histories.value.get(layouts.value.current) ?? {};
  return { undo: past.length > 0, redo: future.length > 0 };
});

/** Notes a complete change of a layout; one that leaves the panels where they are is no step. */
function note(id: LayoutId, before: Layout, next: Layout): void {
  const { now = before, past = [], future = [] } = histories.peek().get(id) ?? {};
  const isStep = arrangementOf(now) !== arrangementOf(next);
  histories.value = new Map(histories.peek()).set(
    id,
    isStep
      ? { now: next, past: [...past, now].slice(-MOST_STEPS), future: [] }
      : { now: next, past, future },
  );
}

/** Arranges the panels as before the last change, or with `again` as after the one that was undone. */
export function undoEdit(again = false): void {
  const id = layouts.peek().current;
  const history = histories.peek().get(id);
  const from = history?.[again ? 'future' : 'past'] ?? [];
  const former = from.at(-1);
  if (!history || !former) return;
  const present = layout.peek();
  const next = arrangedAs(present, former);
  const rest = from.slice(0, -1);
  histories.value = new Map(histories.peek()).set(id, {
    now: next,
    past: again ? [...history.past, present] : rest,
    future: again ? rest : [...history.future, present],
  });
  edit(() => next);
}

/** Called with each change that this page makes, when it is complete. */
let onChange: (id: LayoutId, layout: Layout) => void = () => undefined;

export function onLayoutChange(listener: typeof onChange): void {
  onChange = listener;
}

const database = oneTransaction('keyval-store', 'keyval');
/** What the device has is waited for so long, ms. */
const LIMIT_MS = 3000;

/** Changes what the device has. Rejects where there is no IndexedDB. */
const updateSaved = (change: (value: unknown) => unknown) =>
  update(KEY, change, database).catch(() => update(KEY, change, database));

/** Reads what the device has; without storage the layouts live as long as the page. What comes late takes the place of no change. */
export async function loadLayouts(): Promise<void> {
  const before = layouts.peek();
  const read = updateSaved((value) => {
    const saved = readLayouts(value, PANEL_KINDS);
    newer = saved === 'newer';
    const now = layouts.peek();
    if (saved && saved !== 'newer' && now.layouts === before.layouts)
      layouts.value = now === before ? saved : { ...saved, current: now.current };
    return value;
  }).then(takeFormerSizes);
  const limit = new Promise<void>((resolve) => setTimeout(resolve, LIMIT_MS));
  await Promise.race([read.catch(() => undefined), limit]);
}

/** Sizes that the desktop had before it was a workspace, px. They are taken over once. */
function takeFormerSizes(): void {
  const [list, ticket, orders] = ['list-width', 'ticket-width', 'orders-height'].map((name) => {
    const size = stored<number | undefined>(name, undefined, aNumber);
    const former = size.peek();
    size.value = undefined;
    return former;
  });
  if ((list ?? ticket ?? orders) === undefined || layouts.peek().layouts.one) return;
  change(withLayout('one', shippedLayout('one', { list, ticket, orders })));
}

/** Changes of this page that the device does not have yet, in their order. */
const unsaved = new Set<(saved: Layouts) => Layouts>();

/**
 * Keeps a change of what the device has at that moment: another window may have kept other layouts
 * since this one read them. One that could not be kept is kept with the next.
 */
function save(change: (saved: Layouts) => Layouts): void {
  if (newer) return;
  unsaved.add(change);
  let written: (typeof change)[] = [];
  updateSaved((value) => {
    const saved = readLayouts(value, PANEL_KINDS);
    written = [...unsaved];
    if (saved !== 'newer')
      return writeLayouts(written.reduce((before, make) => make(before), saved ?? FIRST));
    newer = true;
    return value;
  }).then(
    () => kept(written),
    () => {
      layoutsUnsaved.value = true;
    },
  );
}

/** The device has these changes now. */
function kept(written: Iterable<(saved: Layouts) => Layouts>): void {
  layoutsUnsaved.value = false;
  for (const one of written) unsaved.delete(one);
  if (unsaved.size > 0) return;
  announce();
  if (passedOver) takeUp();
}

/** The key of the last change that a page has saved. */
const lastSaved = stored('layouts-saved', '', aText);
let ownLast = '';
/** What another tab has saved came during a change of this page, and is read once that is saved. */
let passedOver = false;
let takingUp = Promise.resolve();

/**
 * Shows what other tabs save, from now on: an edit writes its whole layout, which would take back what they have changed
 * there.
 */
export function followOtherTabs(): void {
  lastSaved.subscribe((last) => {
    if (last !== ownLast) takeUp();
  });
  addEventListener('pageshow', ({ persisted }) => persisted && takeUp());
}

function announce(): void {
  ownLast = newKey();
  lastSaved.value = ownLast;
}

function takeUp(): void {
  takingUp = takingUp.then(async () => {
    const before = layouts.peek();
    const saved = readLayouts(await get(KEY, database).catch(() => undefined), PANEL_KINDS);
    if (!saved || saved === 'newer') return;
    passedOver = unsaved.size > 0 || layouts.peek() !== before;
    if (!passedOver) show(saved);
  });
}

/** Shows what the device has; which layout this page shows stays, and the instrument of its main group. */
function show(saved: Layouts): void {
  const before = layouts.peek();
  const known = isShipped(before.current) || saved.own.some(({ id }) => id === before.current);
  const current = known ? before.current : 'one';
  const given = saved.layouts[current];
  const code = layout.peek().links[MAIN_GROUP]?.code;
  const own = given && code !== undefined ? changeShared(given, MAIN_GROUP, { code }) : given;
  const next: Layouts = { ...withLayout(current, own)(saved), current };
  if (isEqual(next, before)) return;
  for (const id of histories.peek().keys()) note(id, layoutOf(before, id), layoutOf(next, id));
  layouts.value = next;
  onChange(current, layout.peek());
}

/**
 * Replaces what the device has of the user's layouts, and shows it; which of them is shown stays. `make` returns undefined to
 * leave it. Returns what there was, and what there is; undefined where a newer version has kept it. Rejects without storage.
 */
export async function replaceLayouts(
  make: (saved: Layouts) => Layouts | undefined,
): Promise<{ before: Layouts; after: Layouts } | undefined> {
  let found: { before: Layouts; after: Layouts } | undefined;
  let written: ((saved: Layouts) => Layouts)[] = [];
  let isWritten = false;
  await updateSaved((value) => {
    const read = readLayouts(value, PANEL_KINDS);
    found = undefined;
    if (read === 'newer') return value;
    const saved = read ?? FIRST;
    written = [...unsaved];
    const before = written.reduce((made, one) => one(made), saved);
    const next = make(before);
    const made = next && readLayouts(writeLayouts(next), PANEL_KINDS);
    const after = !made || made === 'newer' || isEqual(made, before) ? before : made;
    found = { before, after };
    isWritten = after !== saved;
    return isWritten ? writeLayouts(after) : value;
  });
  if (found && isWritten) {
    show(found.after);
    kept(written);
  }
  return found;
}

function change(make: (before: Layouts) => Layouts): void {
  layouts.value = make(layouts.peek());
  save(make);
}

function withLayout(id: LayoutId, next: Layout | undefined) {
  return (before: Layouts): Layouts => {
    const { [id]: _, ...others } = before.layouts;
    return { ...before, layouts: next ? { ...others, [id]: next } : others };
  };
}

/** Changes the layout that is shown. `passing`: more follows, such as while a boundary is dragged. */
export function edit(make: (layout: Layout) => Layout, passing = false): void {
  const id = layouts.peek().current;
  const before = layout.peek();
  const next = make(before);
  if (next === before && passing) return;
  layouts.value = withLayout(id, next)(layouts.peek());
  if (passing) {
    // Where it began is what an undo goes back to.
    if (!histories.peek().has(id)) note(id, before, before);
    return;
  }
  note(id, before, next);
  save(withLayout(id, next));
  onChange(id, next);
}

/** Shows a layout as another window has changed it; it has kept it already. */
export function receiveLayout(id: LayoutId, next: Layout): void {
  note(id, layoutOf(layouts.peek(), id), next);
  layouts.value = withLayout(id, next)(layouts.peek());
}

/** Which layout this page shows, without keeping the choice: a window shows that of its main page. */
export function followLayout(id: LayoutId): void {
  layouts.value = { ...layouts.peek(), current: id };
}

export function chooseLayout(id: LayoutId): void {
  change((before) => ({ ...before, current: id }));
  onChange(id, layout.peek());
}

/** Keeps a layout under a new name, and shows it. Undefined where there are too many. */
export function addLayout(name: string, added: Layout): OwnId | undefined {
  if (layouts.peek().own.length >= MOST_LAYOUTS) return undefined;
  const id: OwnId = `own-${newKey()}`;
  change((before) => ({
    current: id,
    own: [...before.own, { id, name: layoutName(name) }],
    layouts: { ...before.layouts, [id]: added },
  }));
  onChange(id, added);
  return id;
}

export function renameLayout(id: OwnId, name: string): void {
  change((before) => ({
    ...before,
    own: before.own.map((one) => (one.id === id ? { id, name: layoutName(name) } : one)),
  }));
}

/** Deletes an own layout and shows the first shipped one. */
export function deleteLayout(id: OwnId): void {
  batch(() => {
    change((before) => ({
      ...withLayout(id, undefined)(before),
      own: before.own.filter((one) => one.id !== id),
      current: 'one',
    }));
  });
  onChange('one', layout.peek());
}

/** Gives a shipped layout back as it was shipped. */
export function resetLayout(id: LayoutId): void {
  const before = layoutOf(layouts.peek(), id);
  change(withLayout(id, undefined));
  note(id, before, layoutOf(layouts.peek(), id));
  onChange(id, layout.peek());
}
