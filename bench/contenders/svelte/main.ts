import { mount } from 'svelte';
import List from './List.svelte';
import { Live } from './live.svelte';
import { shown } from './shown';

const list = (await market.list()).map((instrument) => new Live(instrument));
const byId = new Map(list.map((live) => [live.instrument.id, live]));
market.follow(
  (ticks) => {
    for (const { id, close, change } of ticks) Object.assign(byId.get(id) ?? {}, { close, change });
  },
  (id) => shown.has(id),
);
mount(List, { target: document.getElementById('root') as HTMLElement, props: { list } });
