import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyText } from '../../../src/ui/copyText';

const writeText = vi.fn();
const write = vi.fn();

/** As in Safari and present browsers. */
class Item {
  readonly data: Record<string, Promise<Blob>>;
  constructor(data: Record<string, Promise<Blob>>) {
    this.data = data;
  }
}

beforeEach(() => {
  vi.stubGlobal('navigator', { clipboard: { writeText, write } });
  vi.stubGlobal('ClipboardItem', Item);
  writeText.mockReset().mockResolvedValue(undefined);
  write.mockReset().mockResolvedValue(undefined);
});
afterEach(() => void vi.unstubAllGlobals());

test('text that has yet to come is copied in the gesture that asks for it', async () => {
  let arrive = (_: string) => {};
  const text = new Promise<string>((resolve) => {
    arrive = resolve;
  });
  const copied = copyText(text);
  expect(write).toHaveBeenCalledOnce();
  arrive('a,b');
  expect(await copied).toBe(true);
  const [[[item]]] = write.mock.calls as [[[Item]]];
  const blob = await item.data['text/plain'];
  expect([blob?.type, await blob?.text()]).toEqual(['text/plain', 'a,b']);
  expect(writeText).not.toHaveBeenCalled();
});

test.each([
  ['has no items', () => vi.stubGlobal('ClipboardItem', undefined)],
  ['has none of a promise', () => write.mockRejectedValue(new TypeError())],
])('a browser that %s copies it when it comes', async (_, older) => {
  older();
  expect(await copyText(Promise.resolve('a,b'))).toBe(true);
  expect(writeText).toHaveBeenCalledWith('a,b');
});

test('without a clipboard of its own the page selects the text and copies that', async () => {
  vi.stubGlobal('navigator', {});
  const copy = vi.fn(() => (document.querySelector('textarea')?.value ?? '') === 'a,b');
  document.execCommand = copy;
  expect(await copyText('a,b')).toBe(true);
  expect(await copyText(Promise.resolve('a,b'))).toBe(true);
  expect(copy).toHaveBeenCalledTimes(2);
  expect(document.querySelector('textarea')).toBeNull();
});
