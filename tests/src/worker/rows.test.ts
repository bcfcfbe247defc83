import { expect, test } from 'vitest';
import type { ListQuery, ListWindow } from '#domain/market/list';
import { followRows, pagesAround, readRows } from '../../../src/worker/rows';
import { settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

const QUERY: ListQuery = { sort: 'default', descending: false, favourites: [] };

const names = ({ rows }: ListWindow) => rows.map(({ instrument }) => instrument.name).join();

test('rows are requested by pages, one page beyond the rows in sight on either side', () => {
  expect(pagesAround(0, 12)).toEqual({ first: 0, last: 64 });
  expect(pagesAround(31, 40)).toEqual({ first: 0, last: 96 });
  expect(pagesAround(100, 112)).toEqual({ first: 64, last: 160 });
});

test('a new revision requests the rows again, until it is stopped', async () => {
  const list = [listRow(1)];
  const worker = scriptWorkerApi(list);
  const painted: string[] = [];
  const rows = followRows(QUERY, readRows, (window) => painted.push(names(window)));
  await settle();
  list.push(listRow(2));
  worker.frame({ listRevision: Math.random() });
  await settle();
  expect(painted).toEqual(['Name 1', 'Name 1,Name 2']);
  worker.frame({ listRevision: Math.random() });
  rows.stop();
  worker.frame({ listRevision: Math.random() });
  await settle();
  expect(painted).toHaveLength(2);
});

test('one request at a time, and then one for the rows that are in sight by then', async () => {
  const worker = scriptWorkerApi();
  const asked: string[] = [];
  let answer = () => {};
  worker.scripted.rows = (_, from, to) =>
    new Promise((resolve) => {
      asked.push(`${from} ${to}`);
      answer = () => resolve({ revision: 1, total: 1000, from, rows: [], loading: false });
    });
  const rows = followRows(QUERY, readRows, () => {});
  rows.show(0, 12);
  for (let from = 50; from <= 500; from += 50) rows.show(from, from + 12);
  expect(asked).toEqual(['0 64']);
  answer();
  await settle();
  expect(asked).toEqual(['0 64', '448 544']);
  answer();
  await settle();
  expect(asked).toHaveLength(2);
  rows.stop();
});
