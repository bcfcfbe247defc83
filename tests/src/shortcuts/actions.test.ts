import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Action,
  bind,
  isKey,
  keyed,
  keyOf,
  lastUsed,
  readKeys,
  register,
  resetKeys,
} from '../../../src/shortcuts/actions';
import { isFree, keyCharacter, keyName } from '../../../src/shortcuts/press';

const ran: string[] = [];
const action = (id: string, key?: string): Action => ({
  id,
  text: () => id,
  ...(key !== undefined && { key }),
  run: () => ran.push(id),
});
const ACTIONS = [action('buy', 'b'), action('sell', 's'), action('filter', '/'), action('map')];
let ends: (() => void)[] = [];

beforeEach(() => {
  resetKeys();
  ends = [register(ACTIONS)];
});
afterEach(() => {
  for (const end of ends) end();
  document.body.replaceChildren();
});

const keysNow = () => Object.fromEntries([...keyed.value].map(([key, { id }]) => [key, id]));

test('an action has its usual key, until the user gives it another or takes it away', () => {
  expect(keysNow()).toEqual({ b: 'buy', s: 'sell', '/': 'filter' });
  const [buy, sell, , map] = ACTIONS as [Action, Action, Action, Action];
  bind(map, 'm');
  bind(sell, undefined);
  expect(keysNow()).toEqual({ b: 'buy', '/': 'filter', m: 'map' });
  // A key that another one has goes over to the new one, also while the other is not on screen.
  bind(map, 'b');
  expect(keysNow()).toEqual({ '/': 'filter', b: 'map' });
  expect(keyOf(buy)).toBeUndefined();
  resetKeys();
  expect(keyOf(buy)).toBe('b');
});

test('whatever is bound, a key runs one action, and an action has one key', () => {
  const key = fc.oneof(fc.constantFrom('b', 's', '/', 'x', '1'), fc.constant(undefined));
  const step = fc.tuple(fc.nat(ACTIONS.length - 1), key);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      resetKeys();
      for (const [index, to] of steps) {
        const bound = ACTIONS[index] as Action;
        bind(bound, to);
        expect(keyOf(bound)).toBe(to);
        const ids = [...keyed.value.values()].map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }
    }),
  );
});

test('whatever is stored, only keys are read that can be pressed, each once', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.anything()))),
      (value) => {
        const read = Object.values(readKeys(value) ?? {}).filter((key) => key !== '');
        expect(read.every(isKey)).toBe(true);
        expect(new Set(read).size).toBe(read.length);
      },
    ),
  );
});

test('what leaves the screen leaves its key', () => {
  const end = register([action('later', 'l')]);
  expect(keysNow()['l']).toBe('later');
  end();
  expect(keysNow()['l']).toBeUndefined();
});

const press = (init: KeyboardEventInit, target: Element = document.body) => {
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
};

test('a key with a modifier of the browser is none; letters of other scripts are those of their place', () => {
  expect(keyName(press({ key: 'b' }))).toBe('b');
  expect(keyName(press({ key: 'B' }))).toBe('b');
  expect(keyName(press({ key: 'B', shiftKey: true }))).toBeUndefined();
  expect(keyName(press({ key: '?', shiftKey: true }))).toBe('?');
  expect(keyName(press({ key: 'и', code: 'KeyB' }))).toBe('b');
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const)
    expect(keyName(press({ key: 'b', [modifier]: true }))).toBeUndefined();
  for (const key of ['Enter', 'F5', ' ', 'ArrowDown'])
    expect(keyName(press({ key }))).toBeUndefined();
});

test('with a modifier the letter of a key is that of its place as well', () => {
  const ctrl = (init: KeyboardEventInit) => keyCharacter(press({ ...init, ctrlKey: true }));
  expect(ctrl({ key: 'K' })).toBe('k');
  for (const key of ['л', 'ن', 'า', 'क']) expect(ctrl({ key, code: 'KeyK' })).toBe('k');
  // As printed, where a key has a Latin letter.
  expect(ctrl({ key: 'z', code: 'KeyY' })).toBe('z');
  expect(ctrl({ key: 'Dead', code: 'KeyK' })).toBeUndefined();
});

test('nothing runs while one types, or something is open', () => {
  document.body.innerHTML =
    '<input id="text"><input id="tick" type="checkbox"><textarea id="area"></textarea><button id="plain"></button>';
  const free = (id: string) => isFree(press({ key: 'b' }, document.getElementById(id) as Element));
  expect(free('plain')).toBe(true);
  expect(free('tick')).toBe(true);
  expect(free('text')).toBe(false);
  expect(free('area')).toBe(false);
  const taken = new KeyboardEvent('keydown', { key: 'b', cancelable: true });
  taken.preventDefault();
  expect(isFree(taken)).toBe(false);
  expect(isFree(press({ key: 'b', repeat: true }))).toBe(false);
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  document.body.append(dialog);
  expect(free('plain')).toBe(false);
  // A toast.
  dialog.setAttribute('aria-modal', 'false');
  expect(free('plain')).toBe(true);
});

test('of several panels with the same action, that of the one used last runs', () => {
  const ran: string[] = [];
  const offer = (panel: string) =>
    register([{ ...action('same', 'm'), run: () => ran.push(panel) }], panel);
  const endFirst = offer('first');
  const endSecond = offer('second');
  const press = () => keyed.value.get('m')?.run();
  press();
  lastUsed.value = 'first';
  press();
  endFirst();
  press();
  endSecond();
  expect(keyed.value.has('m')).toBe(false);
  expect(ran).toEqual(['second', 'first', 'second']);
  lastUsed.value = undefined;
});
