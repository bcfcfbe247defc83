import { act } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ListQuery, ListWindow } from '#domain/market/list';
import { pagesAround, useRows } from '../../../src/gateway/rows';
import { renderSettled, settle } from '../rendering';
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

test('rows are requested by pages, one page beyond the rows in sight on either side', () => {
  expect(pagesAround(0, 12)).toEqual({ first: 0, last: 64 });
  expect(pagesAround(31, 40)).toEqual({ first: 0, last: 96 });
  expect(pagesAround(100, 112)).toEqual({ first: 64, last: 160 });
});

test('a new revision requests the rows again', async () => {
  const list = [listRow(1)];
  const worker = scriptGateway(list);
  const page = await renderSettled(<Names search="" />);
  expect(page.container.textContent).toBe('Name 1');
  list.push(listRow(2));
  await act(async () => worker.frame({ listRevision: Math.random() }));
  await settle();
  expect(page.container.textContent).toBe('Name 1,Name 2');
});

test('rows stay until the next answer, and a late answer is ignored', async () => {
  const worker = scriptGateway([listRow(1), listRow(2)]);
  const page = await renderSettled(<Names search="" />);
  const answers: Record<string, (window: ListWindow) => void> = {};
  worker.scripted.rows = ({ search = '' }) =>
    new Promise((resolve) => {
      answers[search] = resolve;
    });
  await act(async () => page.rerender(<Names search="one" />));
  await act(async () => page.rerender(<Names search="two" />));
  expect(page.container.textContent).toBe('Name 1,Name 2');
  const window = (id: number): ListWindow => ({
    revision: 1,
    total: 1,
    from: 0,
    rows: [listRow(id)],
    loading: false,
  });
  await act(async () => answers['two']?.(window(2)));
  await act(async () => answers['one']?.(window(1)));
  expect(page.container.textContent).toBe('Name 2');
});
