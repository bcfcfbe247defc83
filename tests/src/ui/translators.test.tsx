import { act, render } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeText } from '../../../src/ui/textCell';
import { followTranslators } from '../../../src/ui/translators';

let stop: () => void;
beforeEach(() => {
  stop = followTranslators(document.body);
});
afterEach(() => stop());

/** As browsers do it: each text that may be translated is replaced by two elements around a translation. */
function translate(root: Element = document.body): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.data.trim() === '' || text.parentElement?.closest('[translate=no]')) continue;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.data.toUpperCase();
    outer.append(inner);
    text.replaceWith(outer);
  }
}

const changed = () => act(async () => undefined);

describe('what is written beside React', () => {
  it('is a figure, which is not translated', () => {
    const cell = document.createElement('span');
    document.body.replaceChildren(cell);
    writeText(cell, 'one');
    translate();
    expect(cell.innerHTML).toBe('one');
  });

  it('appears, whatever was put in its place', () => {
    const cell = document.createElement('span');
    cell.setAttribute('translate', 'yes');
    document.body.replaceChildren(cell);
    for (const text of ['one', 'two', 'two', '', 'three']) {
      writeText(cell, text);
      expect(cell.textContent).toBe(text);
      translate();
    }
    expect(cell.textContent).toBe('THREE');
    cell.append('beside it');
    writeText(cell, 'four');
    expect(cell.innerHTML).toBe('four');
  });

  it('costs one change of its text node while nobody else writes', () => {
    const cell = document.createElement('span');
    writeText(cell, 'one');
    const observer = new MutationObserver(() => undefined);
    observer.observe(cell, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    });
    writeText(cell, 'one');
    writeText(cell, 'two');
    expect(observer.takeRecords().map(({ type }) => type)).toEqual(['characterData']);
  });
});

describe('what React writes', () => {
  let set: (next: { count: number; more: boolean }) => void;
  function Page() {
    const [{ count, more }, change] = useState({ count: 1, more: true });
    set = change;
    return (
      <p>
        {count} of two
        {more && 'more'}
        {more ? <b>bold</b> : null}
        {count > 2 && <i>third</i>}
        {' end'}
      </p>
    );
  }
  const text = () => document.querySelector('p')?.textContent;

  it('appears in the place of its translation', async () => {
    render(<Page />);
    await act(async () => translate());
    expect(text()).toBe('1 OF TWOMOREBOLD END');
    await act(async () => set({ count: 2, more: true }));
    await changed();
    expect(text()).toBe('2 OF TWOMOREBOLD END');
    // Again, after what was written was translated in its turn.
    await act(async () => translate());
    await act(async () => set({ count: 3, more: true }));
    await changed();
    expect(text()).toBe('3 OF TWOMOREBOLDthird END');
  });

  it('is removed with its translation, and added before the translation of another', async () => {
    render(<Page />);
    await act(async () => translate());
    await act(async () => set({ count: 3, more: false }));
    await changed();
    expect(text()).toBe('3 OF TWOthird END');
    await act(async () => set({ count: 1, more: true }));
    await changed();
    expect(text()).toBe('1 OF TWOmorebold END');
  });

  it('is removed too where the page was translated in the same turn', () => {
    const { unmount } = render(<Page />);
    act(() => {
      translate();
      set({ count: 1, more: false });
    });
    expect(text()).toBe('1 OF TWO END');
    unmount();
    expect(document.querySelector('p')).toBeNull();
  });
});

it('a node that others have taken away is removed without an error', () => {
  const [box, away] = [document.createElement('p'), document.createElement('b')];
  document.body.append(box);
  expect(box.removeChild(away)).toBe(away);
  box.insertBefore(away, document.createElement('i'));
  expect(box.innerHTML).toBe('<b></b>');
});
