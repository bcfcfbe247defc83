import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const { load } = await import('../../bench/render/harness/results' as string);
const { BLOCK_NAMES, DOCUMENTS, withFigures } = await import(
  '../../bench/render/report/figures' as string
);

const results = load('bench/results/render.json');

it.each(DOCUMENTS as string[])('%s has the figures of the newest results', (file) => {
  if (!results) throw new Error('there are no results');
  const text = readFileSync(file, 'utf8');
  expect(withFigures(text, results)).toBe(text);
});

it('the documents have every block', () => {
  const texts = (DOCUMENTS as string[]).map((file) => readFileSync(file, 'utf8')).join();
  for (const name of BLOCK_NAMES as string[]) expect(texts).toContain(`<!-- figures: ${name} -->`);
});
