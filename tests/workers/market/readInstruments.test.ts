import { expect, test } from 'vitest';
import { readInstrument, readInstruments } from '#domain/api/read-market';
import { instrumentRow } from '../support/testWorker';

test('a list has what each of its rows says alone, also where a text holds a comma', () => {
  const offering = (...values: unknown[]) => ({
    HasForexMultiple: values.map((Value) => ({ Value })),
  });
  const rows = [
    { ...instrumentRow(1, 'A'), ...offering('50,100') },
    { ...instrumentRow(2, 'B'), ...offering('50', '100') },
    { ...instrumentRow(3, 'C'), ...offering(50, '-1', {}, '100') },
    { ...instrumentRow(4, 'D'), Pip: 'x' },
    { ...instrumentRow(5, 'E'), HasForexMultiple: undefined },
  ];
  const alone = rows.flatMap((row) => readInstrument(row) ?? []);
  expect(alone.map(({ instrument }) => instrument.leverages.length)).toEqual([0, 2, 2, 0]);
  expect(readInstruments(rows)).toEqual(alone);
});
