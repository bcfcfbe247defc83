import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useOpening } from '../../../src/ui/useOpening';

interface Use {
  opened: object | undefined;
}

function sheet() {
  const closed: string[] = [];
  let name = '';
  const hook = renderHook(({ opened }: Use) => useOpening(opened, () => closed.push(name)), {
    initialProps: { opened: undefined } as Use,
  });
  return {
    closed,
    present: () => hook.result.current,
    open(opened: object | undefined, as = '') {
      name = as;
      hook.rerender({ opened });
      return hook.result.current;
    },
  };
}

test('each opening has a key of its own, also of the same object, and keeps it while the sheet closes', () => {
  const { open, present } = sheet();
  const order = {};
  const keys = [present().key];
  for (const opened of [order, undefined, order, {}, undefined]) keys.push(open(opened).key);
  expect(keys).toEqual([0, 1, 1, 2, 3, 3]);
});

test('a late answer of an earlier use does not close the present one', () => {
  const { open, closed } = sheet();
  const first = open({}, 'first');
  open(undefined);
  const second = open({}, 'second');
  first.onClose();
  expect(closed).toEqual([]);
  second.onClose();
  expect(closed).toEqual(['second']);
});
