import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const { load } = await import('../../bench/render/harness/results' as string);
const { DOCUMENTS, withFigures } = await import('../../bench/render/report/figures' as string);

const results = load('bench/results/render.json');

it.each(DOCUMENTS as string[])('%s has the figures of the newest results', (file) => {
  if (!results) throw new Error('there are no results');
  const text = readFileSync(file, 'utf8');
  expect(withFigures(text, results)).toBe(text);
});

it('at least one document has each block', () => {
  const texts = (DOCUMENTS as string[]).map((file) => readFileSync(file, 'utf8')).join();
  expect(texts).toContain('<!-- figures: standings -->');
  expect(texts).toContain('<!-- figures: missed -->');
  expect(texts).toContain('<!-- figures: sections -->');
});
