import { TabulatorFull as Tabulator } from 'tabulator-tables';
import 'tabulator-tables/dist/css/tabulator.min.css';
import './rows.css';

const root = document.getElementById('root') as HTMLElement;
root.innerHTML = `<div class="top">Market</div><div id="table" style="--row: ${market.row}px"></div>`;
const list = await market.list();
const precisions = new Map(list.map(({ id, precision }) => [id, precision]));
const grid = new Tabulator('#table', {
  data: list,
  index: 'id',
  height: '100%',
  rowHeight: market.row,
  headerVisible: false,
  layout: 'fitColumns',
  columns: [
    { title: 'Name', field: 'name', cssClass: 'name' },
    {
      title: 'Price',
      field: 'close',
      cssClass: 'price',
      hozAlign: 'right',
      formatter: (cell) => {
        const { id } = cell.getData() as Instrument;
        return market.price(cell.getValue(), precisions.get(id) as number);
      },
    },
    {
      title: 'Change',
      field: 'change',
      cssClass: 'change',
      hozAlign: 'right',
      formatter: (cell) => market.change(cell.getValue()),
    },
  ],
});
/** The instruments whose rows are in sight. */
let shown = new Set<number>();
const look = () => {
  shown = new Set(grid.getRows('visible').map((row) => row.getIndex()));
};
grid.on('renderComplete', look);
grid.on('scrollVertical', look);
grid.on('tableBuilt', () => {
  look();
  market.follow(
    (ticks) => void grid.updateData([...ticks]),
    (id) => shown.has(id),
  );
});
