import perspective from '@perspective-dev/client';
import CLIENT_WASM from '@perspective-dev/client/dist/wasm/perspective-js.wasm?url';
import SERVER_WASM from '@perspective-dev/server/dist/wasm/perspective-server.wasm?url';
import viewers from '@perspective-dev/viewer';
import VIEWER_WASM from '@perspective-dev/viewer/dist/wasm/perspective-viewer.wasm?url';
import '@perspective-dev/viewer-datagrid';
import '@perspective-dev/viewer/dist/css/pro.css';

await Promise.all([
  perspective.init_client(fetch(CLIENT_WASM)),
  perspective.init_server(fetch(SERVER_WASM)),
  viewers.init_client(fetch(VIEWER_WASM)),
]);

const list = await market.list();
const precisions = new Map(list.map(({ name, precision }) => [name, precision]));
const engine = await perspective.worker();
const table = await engine.table(
  { id: 'integer', name: 'string', close: 'float', change: 'float' },
  { index: 'id', name: 'market' },
);
await table.update(list.map(({ id, name, close, change }) => ({ id, name, close, change })));

const root = document.getElementById('root') as HTMLElement;
root.innerHTML = '<div class="top">Market</div>';
const viewer = document.createElement('perspective-viewer');
viewer.style.flex = '1';
viewer.style.setProperty('--psp-datagrid--row--height', `${market.row}px`);
viewer.dataset['scroller'] = '';
root.append(viewer);
const decimals = (count: number) => ({
  number_format: { minimumFractionDigits: count, maximumFractionDigits: count },
});
await viewer.load(engine);
await viewer.restore({
  table: 'market',
  plugin: 'Datagrid',
  columns: ['name', 'close', 'change'],
  columns_config: { close: decimals(Math.max(...precisions.values())), change: decimals(2) },
  settings: false,
});

/** Its rows are in a shadow root, also some below those in sight. */
globalThis.shownRows = () => {
  const grid = viewer.querySelector('perspective-viewer-datagrid');
  const rows = (grid?.shadowRoot ?? grid)?.querySelectorAll('tbody tr') ?? [];
  const { bottom } = viewer.getBoundingClientRect();
  const inSight = [...rows].filter((row) => row.getBoundingClientRect().top < bottom - 1);
  return inSight.map((row) => {
    const [name = '', close = '', change = ''] = [...row.querySelectorAll('td')].map(
      (cell) => cell.textContent ?? '',
    );
    const price = market.price(Number(close.replaceAll(',', '')), precisions.get(name) ?? 0);
    return { name, price, change: market.change(Number(change)) };
  });
};

market.follow((ticks) => void table.update([...ticks]));
