import { defineCustomElements } from '@revolist/revogrid/loader';

defineCustomElements();
const root = document.getElementById('root') as HTMLElement;
root.innerHTML = '<div class="top">Market</div>';
const list = await market.list();
const grid = document.createElement('revo-grid');
Object.assign(grid, {
  rowSize: market.row,
  readonly: true,
  resize: false,
  columns: [
    { prop: 'name', size: 150, cellProperties: () => ({ class: 'name' }) },
    {
      prop: 'close',
      size: 110,
      cellProperties: () => ({ class: 'price' }),
      cellTemplate: (_: unknown, { model }: { model: Instrument }) =>
        market.price(model.close, model.precision),
    },
    {
      prop: 'change',
      size: 90,
      cellProperties: () => ({ class: 'change' }),
      cellTemplate: (_: unknown, { model }: { model: Instrument }) => market.change(model.change),
    },
  ],
  source: list,
});
grid.style.flex = '1';
root.append(grid);
const indexes = new Map(list.map(({ id }, index) => [id, index]));
const providers = await grid.getProviders();
const viewport = providers?.viewport.stores.rgRow.store;
const isRendered = (row: number) =>
  row >= (viewport?.get('start') ?? 0) && row <= (viewport?.get('end') ?? -1);
market.follow(
  (ticks) => {
    for (const { id, close, change } of ticks) {
      const row = indexes.get(id) as number;
      void grid.setDataAt({ row, col: 1, val: close });
      void grid.setDataAt({ row, col: 2, val: change });
    }
  },
  (id) => isRendered(indexes.get(id) as number),
);
