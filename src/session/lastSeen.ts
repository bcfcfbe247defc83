import type { Language } from '#domain/core/language';
import { listPane } from './panes';

const KEY = 'fulcrum.last-seen';

/** A row of the list as text, so that the first paint needs no formatter. */
export interface SeenRow {
  name: string;
  /** The monogram; empty where there is a logo. */
  letters: string;
  head: string;
  tail: string;
  change: string;
}

/** The rows of one list in one language. They are not used for any other. */
interface Seen {
  of: string;
  rows: SeenRow[];
}

function nameOf(language: Language, query: object): string {
  return `${language} ${JSON.stringify(query)}`;
}

export function saveLastSeen(language: Language, query: object, rows: readonly SeenRow[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ of: nameOf(language, query), rows }));
  } catch {
    // Storage is full or forbidden: the next visit starts with grey rows.
  }
}

function load(name: string): SeenRow[] {
  try {
    const seen = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Seen>;
    return seen.of === name && Array.isArray(seen.rows) ? seen.rows : [];
  } catch {
    return [];
  }
}

/**
 * Replaces the skeleton rows of index.html with the rows of the last visit, before the worker
 * answers and before React starts (D69). False where there are none.
 */
export function paintLastSeen(language: Language, query: object): boolean {
  const list = document.querySelector<HTMLElement>('.boot');
  const rows = /^(#\/)?$/.test(location.hash) ? load(nameOf(language, query)) : [];
  if (!list || rows.length === 0) return false;
  list.style.setProperty('--list', `${listPane.shown.peek()}px`);
  list.replaceChildren(...rows.map(element));
  return true;
}

/** Stored text is inserted as text, never as markup. */
function cell(tag: string, ...content: (string | Node)[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
}

function element({ name, letters, head, tail, change }: SeenRow): HTMLElement {
  const price = cell('b', head, cell('i', tail));
  const moved = cell('small', change);
  // Figures run from left to right in every language.
  price.dir = moved.dir = 'ltr';
  const row = cell('li', cell('span', name), price, moved);
  row.className = 'seen';
  row.dataset['letters'] = letters;
  return row;
}
