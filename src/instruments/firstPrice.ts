import type { Language } from '#domain/core/language';
import { formatPrice, splitPrice } from '../i18n/quoteFormat';
import { language as shown } from '../i18n/rowTexts';
import { instrument } from '../preferences/instrument';
import { marketQuery } from '../preferences/marketQuery';
import { directionOf } from '../ui/direction';
import { element } from '../ui/element';
import { writeAttribute } from '../ui/textCell';
import { liveQuote, watchQuote } from '../worker/quotes';
import { askRowAhead } from '../worker/rowAhead';
import { lastSeen, pageRows, type SeenRow } from './lastSeen';

/** Where the trade screen has its name and price elsewhere: beside the list, or on one line. */
const ELSEWHERE = '(min-width: 64rem), (height < 30rem) and (orientation: landscape)';

/** The trade screen's instrument before the app is there: its code where the user has chosen one, and what is known of it. */
export interface FirstPrice {
  code: string | undefined;
  row: SeenRow | undefined;
}

/** What page and last visit know of the trade screen's instrument; the newest counts. */
export function knownPrice(language: Language, query: string): FirstPrice {
  const code = new URLSearchParams(query).get('code') ?? instrument.peek();
  const last = lastSeen(language, marketQuery.peek())?.rows ?? [];
  const rows = [...pageRows(), ...last].sort((one, other) => other.arrived - one.arrived);
  const row =
    code === undefined
      ? (rows.find(({ quote }) => quote.marketOpen) ?? rows[0])
      : rows.find((known) => known.instrument.code === code);
  return { code, row };
}

/**
 * Paints name and price of the trade screen before React, in the place where it will have them: the price is the screen's
 * largest text. It is stale until the worker has a live one, and follows the live ones until React is there (D130).
 */
export function paintFirstPrice(language: Language, { code, row }: FirstPrice): void {
  const boot = document.querySelector('ul.boot');
  shown.value = language;
  const name = element('h1', { class: 'boot-name' });
  const price = element('p', { class: 'boot-price', dir: 'ltr' });
  const paints = boot && !matchMedia(ELSEWHERE).matches;
  if (paints) boot.replaceWith(element('div', { class: 'boot-trade' }, name, price));
  const follow = (known: SeenRow) => {
    if (!paints || !Number.isFinite(known.quote.close)) return;
    name.textContent = known.instrument.name;
    followPrice(price, known);
  };
  if (row) follow(row);
  askRowAhead(code, (listed) => row ?? follow(listed));
}

/** Writes each price of an instrument into an element, as long as the page has it. */
function followPrice(price: HTMLElement, { instrument: { id, precision }, ...row }: SeenRow): void {
  const tail = element('span', {});
  const head = document.createTextNode('');
  price.append(element('span', {}, head, tail));
  const { quote, release } = watchQuote(id, liveQuote(row));
  const stop = quote.subscribe(({ close, change, stale, marketOpen }) => {
    const [first, last] = splitPrice(formatPrice(close, precision));
    head.data = first;
    tail.textContent = last;
    writeAttribute(price, 'data-direction', directionOf(change));
    price.toggleAttribute('data-stale', stale && marketOpen);
    if (!price.isConnected) queueMicrotask(end);
  });
  const end = () => {
    stop();
    release();
  };
}
