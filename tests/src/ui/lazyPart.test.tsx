import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { showLanguage } from '../../../src/i18n/i18n';
import { codeMissing, LeftOut, lazyPart, ToldInBanner, withCode } from '../../../src/ui/lazyPart';
import { eventually } from '../../helpers/eventually';
import { renderSettled, settle } from '../rendering';

const SCRIPT = `${location.origin}/assets/Part-CJta5cLQ.js`;
const blocked = () => Promise.reject<never>(new TypeError('Failed to fetch'));
const loaded = async () => ({ default: ({ name }: { name: string }) => <p>{name}</p> });

beforeEach(async () => {
  await showLanguage('en');
  codeMissing.value = false;
});

async function shown(Part: ComponentType<{ name: string }>): Promise<string | null> {
  const { container } = await renderSettled(
    <>
      <p>before </p>
      <Part name="part" />
      <p> after</p>
    </>,
  );
  return container.textContent;
}

it('shows what it has loaded', async () => {
  expect(await shown(lazyPart(loaded))).toBe('before part after');
  expect(codeMissing.value).toBe(false);
});

it('shows code that is there with the tap', async () => {
  const Part = lazyPart(loaded);
  await Part.preload();
  expect(render(<Part name="part" />).container.textContent).toBe('part');
});

it('has its fallback in its place until it is loaded', async () => {
  const Part = lazyPart(loaded, undefined, <p>soon</p>);
  const { container } = render(<Part name="part" />);
  expect(container.textContent).toBe('soon');
  await settle();
  expect(container.textContent).toBe('part');
});

it('asks again for what could not be preloaded', async () => {
  const load = vi.fn(loaded).mockImplementationOnce(blocked);
  const Part = lazyPart(load);
  await expect(Part.preload()).rejects.toThrow();
  expect(await shown(Part)).toBe('before part after');
});

it('says in its place that a part could not be loaded, and leaves the rest', async () => {
  await shown(lazyPart(blocked));
  const note = await screen.findByRole('button', { name: 'Try again' });
  expect(note.closest('body')?.textContent).toBe('before This could not be loadedTry again after');
  expect(codeMissing.value).toBe(false);
});

it('leaves the place of what lies over something to others, and a banner says so', async () => {
  expect(await shown(lazyPart(blocked, ToldInBanner))).toBe('before  after');
  await eventually(() => expect(codeMissing.value).toBe(true));
  expect(document.body.textContent).toBe('before  after');
});

it('leaves out what nobody asked for', async () => {
  expect(await shown(lazyPart(blocked, LeftOut))).toBe('before  after');
  expect(codeMissing.value).toBe(false);
});

it('says that code could not be loaded', async () => {
  const use = vi.fn();
  withCode(async () => 'code', use);
  withCode(blocked, use);
  await eventually(() => expect(codeMissing.value).toBe(true));
  expect(use.mock.calls).toEqual([['code']]);
});

it('tells of it only once the page has stayed that was to be left', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  dispatchEvent(new Event('beforeunload'));
  withCode(blocked, vi.fn());
  await vi.advanceTimersByTimeAsync(9_999);
  expect(codeMissing.value).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(codeMissing.value).toBe(true);
});

const tap = async () => userEvent.click(await screen.findByRole('button', { name: 'Try again' }));

it('a retry asks for the files of the page past all caches, then loads it again', async () => {
  const names = [SCRIPT, `${location.origin}/logos/1.png`, 'https://elsewhere.test/assets/a.js'];
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue(
    names.map((name) => ({ name }) as PerformanceResourceTiming),
  );
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  let arrive = (_: Response) => {};
  const network = vi.fn<typeof fetch>(() => new Promise((resolve) => (arrive = resolve)));
  vi.stubGlobal('fetch', network);
  await shown(lazyPart(blocked));
  await tap();
  await eventually(() =>
    expect(network.mock.calls.map(([path, options]) => [path, options?.cache])).toEqual([
      ['/assets/Part-CJta5cLQ.js', 'reload'],
    ]),
  );
  expect(reload).not.toHaveBeenCalled();
  arrive(new Response('code'));
  await eventually(() => expect(reload).toHaveBeenCalledOnce());
});

it('a retry without a network leaves what is on screen', async () => {
  const entries = [{ name: SCRIPT } as PerformanceResourceTiming];
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue(entries);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', vi.fn(blocked));
  await shown(lazyPart(blocked));
  await tap();
  await settle();
  expect(reload).not.toHaveBeenCalled();
});
