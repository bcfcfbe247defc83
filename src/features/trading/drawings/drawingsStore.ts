import { type ReadonlySignal, signal } from '@preact/signals-core';
import { SAVED } from '../../../preferences/storedNames';
import type { Drawings } from './drawing';
import { readSavedDrawings, writeDrawings } from './drawingsFile';
import { type Edit, edited, type History, redo, undo } from './edits';
import { drawingsKey } from './savedDrawings';

/**
 * The drawings of an instrument: in this page, in localStorage and so in all tabs. An edit is made
 * on what storage has at that moment, not on what this tab showed last. Undo takes back what this
 * page did, and nothing that another tab did to the same drawing after it.
 */
export interface DrawingsStore {
  /** With the drawings, what can be undone and done again. */
  readonly history: ReadonlySignal<History>;
  /** Makes an edit of the newest drawings, and returns it. */
  edit(make: (list: Drawings) => Edit): Edit;
  undo(): void;
  redo(): void;
}

const stores = new Map<string, DrawingsStore & { read(): void }>();

/** The store of an instrument whose prices have `precision` decimals; `key`: where they are kept. */
export function drawingsStore(
  code: string,
  precision: number,
  key = drawingsKey(code),
): DrawingsStore {
  const known = stores.get(key);
  if (known) return known;
  const history = signal<History>({ list: load(key, precision) ?? [], done: [], undone: [] });
  /** Storage is full or forbidden: the drawings live as long as the page. */
  let unsaved = false;
  const newest = (): History => {
    const list = unsaved ? undefined : load(key, precision);
    return list ? { ...history.peek(), list } : history.peek();
  };
  const set = (next: History) => {
    if (next.list !== history.peek().list) unsaved = !save(key, code, next.list);
    history.value = next;
  };
  const store = {
    history,
    edit: (make: (list: Drawings) => Edit) => {
      const present = newest();
      const edit = make(present.list);
      set(edited(present, edit));
      return edit;
    },
    undo: () => set(undo(newest())),
    redo: () => set(redo(newest())),
    read: () => {
      history.value = newest();
    },
  };
  stores.set(key, store);
  return store;
}

/** Undefined where storage can't be read. */
function load(key: string, precision: number): Drawings | undefined {
  try {
    return readSavedDrawings(localStorage.getItem(key), precision);
  } catch {
    return undefined;
  }
}

function save(key: string, code: string, drawings: Drawings): boolean {
  try {
    if (drawings.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, writeDrawings(code, drawings));
    dispatchEvent(new Event(SAVED));
    return true;
  } catch {
    return false;
  }
}

addEventListener('storage', ({ key, storageArea }) => {
  if (storageArea !== localStorage) return;
  for (const [name, store] of stores) if (key === null || key === name) store.read();
});
