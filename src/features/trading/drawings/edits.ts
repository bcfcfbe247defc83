import { type Drawing, type Drawings, MOST_DRAWINGS, sameDrawing } from './drawing';

/** What an edit does to one drawing: adds it, takes it away or puts another state in its place. */
interface Change {
  before: Drawing | undefined;
  after: Drawing | undefined;
  /** Its place in the list when this change is made. */
  index: number;
}

/** Changes that are made and undone together, in their order. */
export type Edit = readonly Change[];

/** Adds drawings above all others; those that would be too many are left out. */
export function adding(list: Drawings, drawings: readonly Drawing[]): Edit {
  return drawings
    .slice(0, Math.max(0, MOST_DRAWINGS - list.length))
    .map((after, at) => ({ before: undefined, after, index: list.length + at }));
}

/** Gives a drawing another state. */
export function changing(list: Drawings, id: string, change: (drawing: Drawing) => Drawing): Edit {
  const index = list.findIndex((drawing) => drawing.id === id);
  const before = list[index];
  if (!before) return [];
  const after = { ...change(before), id };
  return sameDrawing(before, after) ? [] : [{ before, after, index }];
}

/** Takes drawings away. Locked ones stay. */
export function removing(list: Drawings, ids: ReadonlySet<string>): Edit {
  const gone = list.flatMap((drawing, index) =>
    ids.has(drawing.id) && !drawing.locked ? [{ drawing, index }] : [],
  );
  return gone.map(({ drawing, index }, before) => ({
    before: drawing,
    after: undefined,
    index: index - before,
  }));
}

function reversed(edit: Edit): Edit {
  return [...edit].reverse().map(({ before, after, index }) => ({
    before: after,
    after: before,
    index,
  }));
}

/**
 * The list with an edit. A change of a drawing that is not in its former state any more, because
 * another tab has changed it since, is left out. The same list where nothing is left.
 */
export function withEdit(list: Drawings, edit: Edit): Drawings {
  let next: Drawing[] | undefined;
  for (const { before, after, index } of edit) {
    const present = next ?? list;
    const id = before?.id ?? after?.id;
    const at = present.findIndex((drawing) => drawing.id === id);
    const found = present[at];
    if (before ? !found || !sameDrawing(found, before) : found) continue;
    next ??= [...list];
    if (before && after) next[at] = after;
    else if (before) next.splice(at, 1);
    else if (after) next.splice(index, 0, after);
  }
  return next ?? list;
}

/** Drawings with what was done to them, the oldest edit first. */
export interface History {
  list: Drawings;
  done: readonly Edit[];
  /** What can be done again, the next one last. */
  undone: readonly Edit[];
}

/** Older edits than this many can't be undone. */
const MOST_EDITS = 500;

export function edited(history: History, edit: Edit): History {
  const list = withEdit(history.list, edit);
  if (list === history.list) return history;
  return { list, done: [...history.done, edit].slice(-MOST_EDITS), undone: [] };
}

/** Takes back the last edit of which something can still be taken back. */
export function undo({ list, done, undone }: History): History {
  const edit = done.at(-1);
  if (!edit) return { list, done, undone };
  const next = withEdit(list, reversed(edit));
  const rest = done.slice(0, -1);
  return next === list
    ? undo({ list, done: rest, undone })
    : { list: next, done: rest, undone: [...undone, edit] };
}

/** Does again what was taken back last. */
export function redo({ list, done, undone }: History): History {
  const edit = undone.at(-1);
  if (!edit) return { list, done, undone };
  const next = withEdit(list, edit);
  const rest = undone.slice(0, -1);
  return next === list
    ? redo({ list, done, undone: rest })
    : { list: next, done: [...done, edit], undone: rest };
}
