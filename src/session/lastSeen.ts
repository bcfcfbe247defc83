import type { Language } from '#domain/core/language';
import { listPane } from './panes';

const KEY = 'fulcrum.last-seen';

/** A row of the list as it was written last: what the first paint needs, and no formatter for it. */
export interface SeenRow {
  name: string;
  /** The monogram. */
  letters: string;
  head: string;
  tail: string;
  change: string;
}

/** Rows of one list in one language; of any other they say nothing. */
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
    // Full or forbidden: the next visit begins with grey rows.
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
 * Writes the rows of the last visit into those that index.html draws, before
 * there is a worker's answer or React (D69). False where there are none.
 */
export function paintLastSeen(language: Language, query: object): boolean {
  const list = document.querySelector<HTMLElement>('.boot');
  const rows = /^(#\/)?$/.test(location.hash) ? load(nameOf(language, query)) : [];
  if (!list || rows.length === 0) return false;
  list.style.setProperty('--list', `${listPane.size.peek()}px`);
  list.replaceChildren(...rows.map(element));
  return true;
}

/** What is stored goes in as text: markup stays letters. */
function cell(tag: string, ...content: (string | Node)[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
}

function element({ name, letters, head, tail, change }: SeenRow): HTMLElement {
  const price = cell('b', head, cell('i', tail));
  const moved = cell('small', change);
  // Figures are written from left to right everywhere.
  price.dir = moved.dir = 'ltr';
  const row = cell('li', cell('span', name), price, moved);
  row.className = 'seen';
  row.dataset['letters'] = letters;
  return row;
}
