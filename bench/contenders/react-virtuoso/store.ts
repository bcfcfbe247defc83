/** The latest quote of each instrument; the same object until it changes. */
interface Quote {
  close: number;
  change: number;
}

const quotes = new Map<number, Quote>();
const listeners = new Map<number, Set<() => void>>();

export async function begin(): Promise<Instrument[]> {
  const instruments = await market.list();
  for (const { id, close, change } of instruments) quotes.set(id, { close, change });
  market.follow(
    (ticks) => {
      for (const { id, close, change } of ticks) {
        quotes.set(id, { close, change });
        for (const changed of listeners.get(id) ?? []) changed();
      }
    },
    (id) => (listeners.get(id)?.size ?? 0) > 0,
  );
  return instruments;
}

export const quoteOf = (id: number) => quotes.get(id) as Quote;

export const subscribe = (id: number) => (changed: () => void) => {
  const known = listeners.get(id) ?? new Set();
  listeners.set(id, known.add(changed));
  return () => known.delete(changed);
};
