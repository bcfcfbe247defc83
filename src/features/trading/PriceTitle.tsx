import { useEffect, useMemo } from 'react';
import type { ListRow } from '#domain/market/list';
import { formatPrice } from '../../i18n/format';
import { language } from '../../i18n/i18n';
import { pageTitle } from '../../ui/pageTitle';
import { useValue } from '../../useValue';
import { liveQuote, peekQuote } from '../../worker/quotes';
import { useQuote } from '../../worker/useQuote';
import { workerApi } from '../../worker/workerApi';

/** Browsers redraw the tab for each change. */
const TITLE_MS = 1000;

/** Shows price and name of an instrument in the title of the page. */
export function PriceTitle({ row }: { row: ListRow }) {
  const { id, name, precision } = row.instrument;
  const shownLanguage = useValue(language);
  const seed = liveQuote(row);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `seed` only matters at the start, and prices are formatted in the language
  const title = useMemo(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      clearTimeout(waiting);
      waiting = undefined;
      const { close } = peekQuote(id) ?? seed;
      pageTitle.value = Number.isFinite(close) ? `${formatPrice(close, precision)} ${name}` : name;
    };
    const request = () => {
      waiting ??= setTimeout(write, TITLE_MS);
    };
    return { write, request, cancel: () => clearTimeout(waiting) };
  }, [id, name, precision, shownLanguage]);
  useQuote(id, seed, title.request, [title]);
  useEffect(() => {
    title.write();
    void workerApi.setTitleInstrument(id);
    return () => {
      void workerApi.setTitleInstrument(undefined);
      title.cancel();
      pageTitle.value = undefined;
    };
  }, [title, id]);
  return null;
}
