import { act } from 'react';
import { expect, test } from 'vitest';
import type { ListQuery, ListWindow } from '#domain/gateway/gateway';
import { pagesAround, useRows } from '../../../src/gateway/rows';
import { render, settle } from '../render';
import { listRow, scriptGateway } from '../scriptedGateway';

const query = (search: string): ListQuery => ({
  search,
  sort: 'default',
  descending: false,
  favourites: [],
});

function Names({ search }: { search: string }) {
  const rows = useRows(query(search), 0, 64);
  if (rows.loading) return 'loading';
  return Array.from({ length: rows.total }, (_, i) => rows.at(i)?.instrument.name).join();
}

test('rows are asked for by pages, one beyond what is in sight on either side', () => {
  expect(pagesAround(0, 12)).toEqual({ first: 0, last: 64 });
  expect(pagesAround(31, 40)).toEqual({ first: 0, last: 96 });
  expect(pagesAround(100, 112)).toEqual({ first: 64, last: 160 });
});

test('a new revision asks again', async () => {
  const list = [listRow(1)];
  const worker = scriptGateway(list);
  const page = await render(<Names search="" />);
  expect(page.element.textContent).toBe('Name 1');
  list.push(listRow(2));
  await act(async () => worker.frame({ listRevision: Math.random() }));
  await settle();
  expect(page.element.textContent).toBe('Name 1,Name 2');
});

test('what was shown stays until the next answer is there, and a late one is not believed', async () => {
  const worker = scriptGateway([listRow(1), listRow(2)]);
  const page = await render(<Names search="" />);
  const answers: Record<string, (window: ListWindow) => void> = {};
  worker.scripted.rows = ({ search = '' }) =>
    new Promise((resolve) => {
      answers[search] = resolve;
    });
  await page.rerender(<Names search="one" />);
  await page.rerender(<Names search="two" />);
  expect(page.element.textContent).toBe('Name 1,Name 2');
  const window = (id: number): ListWindow => ({
    revision: 1,
    total: 1,
    from: 0,
    rows: [listRow(id)],
    loading: false,
  });
  await act(async () => answers['two']?.(window(2)));
  await act(async () => answers['one']?.(window(1)));
  expect(page.element.textContent).toBe('Name 2');
});
