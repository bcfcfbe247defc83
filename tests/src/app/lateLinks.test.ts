import { afterEach, expect, it, vi } from 'vitest';
import { fetchAhead } from '../../../src/app/lateLinks';
import { eventually } from '../../helpers/eventually';

afterEach(() => {
  document.head.innerHTML = '';
});

it('reads the files of the app ahead at low priority, and nothing twice', async () => {
  document.head.innerHTML = `<template id="next-files" data-scripts="/assets/a.js /assets/b.js">
    <link rel="preload" as="style" href="/assets/a.css" /></template>`;
  const answer = new Response('export {};');
  const fetching = vi.fn(async (path: string, _options: RequestInit) => {
    if (path.endsWith('b.js')) throw new TypeError('no network');
    return answer;
  });
  vi.stubGlobal('fetch', fetching);
  fetchAhead();
  fetchAhead();
  const low = { priority: 'low' };
  expect(fetching.mock.calls).toEqual([
    ['/assets/a.js', low],
    ['/assets/b.js', low],
  ]);
  await eventually(() => expect(answer.bodyUsed).toBe(true));
  expect(document.head.querySelector('link')?.getAttribute('href')).toBe('/assets/a.css');
});
