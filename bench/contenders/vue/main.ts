import { createApp, type ShallowRef, shallowRef } from 'vue';
import List from './List.vue';
import { shown } from './shown';

/** An instrument with its latest quote. */
export interface Live {
  instrument: Instrument;
  quote: ShallowRef<{ close: number; change: number }>;
}

const list = (await market.list()).map(
  (instrument): Live => ({ instrument, quote: shallowRef(instrument) }),
);
const byId = new Map(list.map((live) => [live.instrument.id, live.quote]));
market.follow(
  (ticks) => {
    for (const { id, close, change } of ticks) {
      const quote = byId.get(id);
      if (quote) quote.value = { close, change };
    }
  },
  (id) => shown.has(id),
);
createApp(List, { list }).mount('#root');
