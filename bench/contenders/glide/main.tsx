import {
  type DamageUpdateList,
  DataEditor,
  type DataEditorRef,
  type GridCell,
  GridCellKind,
  type Item,
} from '@glideapps/glide-data-grid';
import '@glideapps/glide-data-grid/dist/index.css';
import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';

const COLUMNS = [
  { title: 'Name', id: 'name', width: 150 },
  { title: 'Price', id: 'close', width: 110 },
  { title: 'Change', id: 'change', width: 90 },
];

const list = await market.list();
const indexes = new Map(list.map(({ id }, index) => [id, index]));

/** The text that the grid last got of each cell. */
const drawn = new Map<number, string>();

function textOf(column: number, row: number): string {
  const { name, close, change, precision } = list[row] as Instrument;
  if (column === 0) return name;
  return column === 1 ? market.price(close, precision) : market.change(change);
}

function cellOf([column, row]: Item): GridCell {
  const text = textOf(column, row);
  drawn.set(3 * row + column, text);
  return { kind: GridCellKind.Text, data: text, displayData: text, allowOverlay: false };
}

/** The rows in sight, for the gate: a canvas has no elements of its own, so what it drew last. */
let seen = { y: 0, height: 0 };
const isInSight = (row: number) => row >= seen.y && row < seen.y + seen.height;
globalThis.shownRows = () =>
  Array.from({ length: Math.min(seen.height, list.length - seen.y) }, (_, index) => {
    const [name = '', price = '', change = ''] = [0, 1, 2].map((column) =>
      drawn.get(3 * (seen.y + index) + column),
    );
    return { name, price, change };
  });

function Grid() {
  const editor = useRef<DataEditorRef>(null);
  useEffect(
    () =>
      market.follow(
        (ticks) => {
          const cells: DamageUpdateList[number][] = [];
          for (const tick of ticks) {
            const row = indexes.get(tick.id) as number;
            list[row] = { ...(list[row] as Instrument), ...tick };
            cells.push({ cell: [1, row] }, { cell: [2, row] });
          }
          editor.current?.updateCells(cells);
        },
        (id) => isInSight(indexes.get(id) as number),
      ),
    [],
  );
  return (
    <>
      <div className="top">Market</div>
      <div data-scroller style={{ flex: 1, minBlockSize: 0 }}>
        <DataEditor
          ref={editor}
          columns={COLUMNS}
          rows={list.length}
          rowHeight={market.row}
          headerHeight={0}
          getCellContent={cellOf}
          onVisibleRegionChanged={(region) => {
            seen = region;
          }}
          width="100%"
          height="100%"
        />
      </div>
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<Grid />);
