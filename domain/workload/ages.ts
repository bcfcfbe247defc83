import { priceText } from './stream';

/** What was sent: of each quote its instrument (from 0), its price in thousandths, and its message. */
export interface SentQuotes {
  instruments: readonly { ShowCode: string }[];
  instrumentOf: ArrayLike<number>;
  priceOf: ArrayLike<number>;
  messageOf: ArrayLike<number>;
}

/** A price when it was painted; unix ms. */
export interface SeenPrice {
  at: number;
  name: string;
  price: string;
}

/**
 * Time until each quote of a visible row, or a newer one of the same row, was painted, so that
 * painting rarely gives higher ages. Between the first and the last observed painting. A list without a window paints rows
 * that are not `inSight`, too. `textOf` writes a price as the page does.
 */
export function ages(
  quotesSent: SentQuotes,
  sentAt: readonly number[],
  seen: readonly SeenPrice[],
  inSight?: ReadonlySet<string>,
  textOf: (thousandths: number) => string = priceText,
): number[] {
  const { instruments, instrumentOf, priceOf, messageOf } = quotesSent;
  const first = seen[0]?.at ?? Number.POSITIVE_INFINITY;
  const last = seen.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const paints = new Map<string, { at: number; price: string }[]>();
  for (const { at, name, price } of seen) {
    if (inSight && !inSight.has(name)) continue;
    const known = paints.get(name);
    if (known) known.push({ at, price });
    else paints.set(name, [{ at, price }]);
  }
  const quotes = new Map<string, { sent: number; price: string }[]>();
  for (let quote = 0; quote < instrumentOf.length; quote++) {
    const name = instruments[instrumentOf[quote] ?? 0]?.ShowCode ?? '';
    if (!paints.has(name)) continue;
    const entry = {
      sent: sentAt[messageOf[quote] ?? 0] ?? Number.NaN,
      price: textOf(priceOf[quote] ?? 0),
    };
    const known = quotes.get(name);
    if (known) known.push(entry);
    else quotes.set(name, [entry]);
  }
  const found: number[] = [];
  for (const [name, shown] of paints) {
    const sent = quotes.get(name) ?? [];
    let next = sent.findIndex(({ sent: at }) => at >= first);
    if (next < 0) continue;
    for (const { at, price } of shown) {
      // The newest quote with this text that had been sent by then.
      let match = -1;
      for (let i = sent.length - 1; i >= next; i--) {
        if ((sent[i]?.sent ?? 0) <= at && sent[i]?.price === price) {
          match = i;
          break;
        }
      }
      for (; next <= match; next++) found.push(at - (sent[next]?.sent ?? at));
    }
    // A quote that was never shown is at least as old as the observation lasted.
    for (; next < sent.length; next++) {
      const age = last - (sent[next]?.sent ?? last);
      if (age > 500) found.push(age);
    }
  }
  return found;
}
