// P2: AG Grid Community with asynchronous transactions and flashing cells.
import '../lib/root';
import {
  AllCommunityModule,
  type ColDef,
  createGrid,
  type GridOptions,
  ModuleRegistry,
} from 'ag-grid-community';
import mark from '../../../../src/ui/InstrumentMark.module.css';
import {
  formatChange,
  formatPrice,
  type Instrument,
  loadInstruments,
  readTick,
  rowsOf,
  sparkline,
} from '../lib/market';
import { ROW, rootElement } from '../lib/root';
import { openSocket } from '../lib/socket';
import './grid.css';

ModuleRegistry.registerModules([AllCommunityModule]);

/** With our frame rate and flash, or with the grid's defaults. */
const ours = new URLSearchParams(location.search).has('frameInterval');

type Row = Instrument;

function label({ name }: Row): HTMLElement {
  const box = document.createElement('span');
  box.className = 'label';
  const letters = document.createElement('span');
  letters.className = mark['mark'] ?? '';
  letters.dataset['letters'] = `${name[0]}${name[5]}`;
  const text = document.createElement('span');
  text.className = 'name';
  text.textContent = name;
  box.append(letters, text);
  return box;
}

function day({ id }: Row): string {
  const path = sparkline(id);
  return `<svg width="56" height="28" viewBox="0 0 56 28"><path class="area" d="${path}L56 28L0 28Z"/><path class="line" d="${path}"/></svg>`;
}

const columns: ColDef<Row>[] = [
  {
    field: 'name',
    flex: 1,
    cellRenderer: ({ data }: { data: Row }) => label(data),
  },
  { field: 'id', width: 72, cellRenderer: ({ data }: { data: Row }) => day(data) },
  {
    field: 'close',
    width: 92,
    valueFormatter: ({ data }) => (data ? formatPrice(data.close, data.precision) : ''),
    enableCellChangeFlash: true,
  },
  {
    field: 'change',
    width: 76,
    valueFormatter: ({ value }) => formatChange(value as number),
    cellClassRules: { up: ({ value }) => value > 0, down: ({ value }) => value < 0 },
  },
];

async function begin(): Promise<void> {
  const rows: Row[] = await loadInstruments();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const root = rootElement();
  root.innerHTML = '<div class="head">Market</div><div class="grid"></div>';
  const options: GridOptions<Row> = {
    columnDefs: columns,
    rowData: rows,
    getRowId: ({ data }) => String(data.id),
    rowHeight: ROW,
    headerHeight: 0,
    suppressColumnVirtualisation: true,
    asyncTransactionWaitMillis: 50,
    ...(ours ? { cellFlashDuration: 300, cellFadeDuration: 0 } : {}),
  };
  const grid = createGrid(root.querySelector('.grid') as HTMLElement, options);
  openSocket((text) => {
    const ticks = rowsOf(text)?.map(readTick);
    if (!ticks) return;
    const update: Row[] = [];
    for (const tick of ticks) {
      const known = byId.get(tick.id);
      if (!known) continue;
      const next = { ...known, ...tick };
      byId.set(tick.id, next);
      update.push(next);
    }
    grid.applyTransactionAsync({ update });
  });
}

void begin();
