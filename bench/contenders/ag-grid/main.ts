import {
  CellStyleModule,
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  type ColDef,
  createGrid,
  type GridOptions,
  HighlightChangesModule,
  ModuleRegistry,
} from 'ag-grid-community';
import './grid.css';

ModuleRegistry.registerModules([
  CellStyleModule,
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  HighlightChangesModule,
]);

function label({ name }: Instrument): HTMLElement {
  const box = document.createElement('span');
  box.className = 'label';
  box.innerHTML = `<span class="mark" data-letters="${name[0]}${name[5]}"></span><span class="name">${name}</span>`;
  return box;
}

function day({ id }: Instrument): string {
  const path = market.path(id);
  return `<svg class="sparkline" data-direction="up" width="56" height="28" viewBox="0 0 56 28"><path class="area" d="${path}L56 28L0 28Z"/><path class="line" d="${path}"/></svg>`;
}

const columns: ColDef<Instrument>[] = [
  { field: 'name', flex: 1, cellRenderer: ({ data }: { data: Instrument }) => label(data) },
  { field: 'id', width: 72, cellRenderer: ({ data }: { data: Instrument }) => day(data) },
  {
    field: 'close',
    width: 84,
    valueFormatter: ({ data }) => (data ? market.price(data.close, data.precision) : ''),
    enableCellChangeFlash: true,
  },
  {
    field: 'change',
    width: 76,
    valueFormatter: ({ value }) => market.change(value as number),
    cellClassRules: { up: ({ value }) => value > 0, down: ({ value }) => value < 0 },
  },
];

const rows = await market.list();
const byId = new Map(rows.map((row) => [row.id, row]));
const root = document.getElementById('root') as HTMLElement;
root.innerHTML = '<div class="top">Market</div><div class="grid"></div>';
const options: GridOptions<Instrument> = {
  columnDefs: columns,
  rowData: rows,
  getRowId: ({ data }) => String(data.id),
  rowHeight: market.row,
  headerHeight: 0,
  suppressColumnVirtualisation: true,
  asyncTransactionWaitMillis: market.interval,
  cellFlashDuration: 300,
  cellFadeDuration: 0,
};
const grid = createGrid(root.querySelector('.grid') as HTMLElement, options);
market.followEach((ticks) => {
  const update: Instrument[] = [];
  for (const tick of ticks) {
    const next = { ...(byId.get(tick.id) as Instrument), ...tick };
    byId.set(tick.id, next);
    update.push(next);
  }
  grid.applyTransactionAsync({ update });
});
