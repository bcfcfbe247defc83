import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { load } from '../../bench/render/harness/results';
import { DOCUMENTS, withFigures } from '../../bench/render/report/figures';

const results = load('bench/results/render.json');

it.each(DOCUMENTS)('%s has the figures of the newest results', (file) => {
  if (!results) throw new Error('there are no results');
  const text = readFileSync(file, 'utf8');
  expect(withFigures(text, results)).toBe(text);
});

it('at least one document has each block', () => {
  const texts = DOCUMENTS.map((file) => readFileSync(file, 'utf8')).join();
  expect(texts).toContain('<!-- figures: standings -->');
  expect(texts).toContain('<!-- figures: goals -->');
});
