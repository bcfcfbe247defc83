import { beforeEach, expect, test } from 'vitest';
import {
  activatePanel,
  arrangementOf,
  closePanel,
  moveSash,
  sashesOf,
} from '#domain/workspace/layout';
import {
  chooseLayout,
  edit,
  layout,
  resetLayout,
  undoable,
  undoEdit,
} from '../../../../src/app/workspace/store';

// Other files of this process may have left changes.
beforeEach(() => {
  for (const id of ['four', 'one'] as const) {
    chooseLayout(id);
    resetLayout(id);
    while (undoable.value.undo) undoEdit();
    resetLayout(id);
  }
});

const arranged = () => arrangementOf(layout.value);

test('changes are taken back one by one, and made again until another one is made', () => {
  const first = arranged();
  edit((now) => closePanel(now, 'news'));
  const second = arranged();
  edit((now) => closePanel(now, 'alerts'));
  undoEdit();
  expect(arranged()).toBe(second);
  undoEdit();
  expect(arranged()).toBe(first);
  undoEdit(true);
  expect(arranged()).toBe(second);
  edit((now) => closePanel(now, 'history'));
  expect(undoable.value).toEqual({ undo: true, redo: false });
});

test('a dragged boundary is one step, a chosen tab is none', () => {
  const before = arranged();
  const [sash] = sashesOf(layout.peek().areas[0] as never);
  if (!sash) throw new Error('no boundary');
  for (const share of [0.31, 0.33, 0.36]) edit((now) => moveSash(now, 'main', sash, share), true);
  edit((now) => moveSash(now, 'main', sash, 0.36));
  edit((now) => activatePanel(now, 'orders'));
  expect(arranged()).not.toBe(before);
  undoEdit();
  expect(arranged()).toBe(before);
});

test('a layout that was given back can be taken back, and each has its own steps', () => {
  edit((now) => closePanel(now, 'news'));
  const changed = arranged();
  resetLayout('one');
  expect(arranged()).not.toBe(changed);
  chooseLayout('four');
  const four = arranged();
  undoEdit();
  expect(arranged()).toBe(four);
  chooseLayout('one');
  undoEdit();
  expect(arranged()).toBe(changed);
});
