import type { Language } from '#domain/core/language';
import { formatPrice, splitPrice } from '../i18n/quoteFormat';
import { language as shown } from '../i18n/rowTexts';
import { instrument } from '../preferences/instrument';
import { marketQuery } from '../preferences/marketQuery';
import { element } from '../ui/element';
import { lastSeen, pageRows, type SeenRow } from './lastSeen';

/** Where the trade screen has its name and price elsewhere: beside the list, or on one line. */
const ELSEWHERE = '(min-width: 64rem), (height < 30rem) and (orientation: landscape)';

/** What is known of the trade screen's instrument before the worker is asked; the newest first. */
function knownRow(language: Language, code: string | undefined): SeenRow | undefined {
  const last = lastSeen(language, marketQuery.peek())?.rows ?? [];
  const rows = [...pageRows(), ...last].sort((one, other) => other.arrived - one.arrived);
  if (code !== undefined) return rows.find((row) => row.instrument.code === code);
  return rows.find((row) => row.quote.marketOpen) ?? rows[0];
}

/**
 * Paints name and price of the trade screen before React, in the place where it will have them:
 * the price is the screen's largest text. Stale until the worker has a live one (D130). Returns the
 * code of the instrument where the user has chosen one.
 */
export function paintFirstPrice(language: Language, query: string): string | undefined {
  const code = new URLSearchParams(query).get('code') ?? instrument.peek();
  const boot = document.querySelector('ul.boot');
  if (!boot || matchMedia(ELSEWHERE).matches) return code;
  shown.value = language;
  const row = knownRow(language, code);
  const name = element('h1', { class: 'boot-name' });
  const price = element('p', { class: 'boot-price', dir: 'ltr' });
  if (row && Number.isFinite(row.quote.close)) {
    const { close } = row.quote;
    const [head, tail] = splitPrice(formatPrice(close, row.instrument.precision));
    name.textContent = row.instrument.name;
    price.append(element('span', {}, head, element('span', {}, tail)));
  }
  boot.replaceWith(element('div', { class: 'boot-trade' }, name, price));
  return code;
}
