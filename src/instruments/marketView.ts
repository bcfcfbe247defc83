import { effect } from '@preact/signals-core';
import type { Language } from '#domain/core/language';
import { rowTexts, language as shown } from '../i18n/rowTexts';
import { instrument, tradePath } from '../preferences/instrument';
import { placeOfList } from '../preferences/listPlace';
import { isPlainQuery, marketQuery } from '../preferences/marketQuery';
import { toggleFavourite } from '../preferences/preferences';
import { element } from '../ui/element';
import { COLUMNS_WITH_STARS } from './columns';
import styles from './InstrumentList.module.css';
import { type LastSeen, lastSeen, pageRows, type SeenRow } from './lastSeen';
import { ListView } from './listView';

/** The rows of the market list. There is one, so that React takes over those painted before it. */
export const marketView = new ListView(COLUMNS_WITH_STARS);

/** What the list is likely to show: what it showed last, or newer rows that the page brought along. */
export function seenRows(language: Language): LastSeen | undefined {
  const query = marketQuery.peek();
  const last = lastSeen(language, query);
  const rows = isPlainQuery(query) ? pageRows() : [];
  const newer = (rows[0]?.arrived ?? 0) > (last?.rows[0]?.arrived ?? 0);
  return newer ? { closed: last?.closed ?? '', rows } : last;
}

/** The rows painted before React, until the worker has its list: what takes their place begins with them. */
export const paintedRows = (): readonly SeenRow[] =>
  marketView.status.peek().loading ? marketView.rowsOfNow : [];

/**
 * Paints the market list in the place of the grey rows of index.html, before React: rows of the
 * last visit or of the page (D130) until the worker has its list, then live ones. `picked` is called when the user
 * opens an instrument.
 */
export function paintMarket(
  language: Language,
  seen: LastSeen | undefined,
  picked: () => void,
): void {
  shown.value = language;
  if (seen) {
    rowTexts.value = { ...rowTexts.peek(), closed: seen.closed };
    marketView.recall(seen.rows);
  }
  marketView.onFavour = toggleFavourite;
  marketView.onPick = (row) => {
    location.hash = `#${tradePath(row.instrument.code)}`;
    picked();
  };
  const scroller = element('div', { class: styles.booting }, marketView.element);
  const list = element('div', { class: styles.list, role: 'table' }, scroller);
  const boot = element('div', { class: 'boot' }, list);
  for (const [name, value] of Object.entries(placeOfList())) boot.style.setProperty(name, value);
  document.querySelector('.boot')?.replaceWith(boot);
  const stop = effect(() => {
    marketView.show({ query: marketQuery.value, current: instrument.value });
  });
  marketView.attach(scroller, stop);
}
