import { type Signal, signal } from '@preact/signals-core';
import { readFields } from '#domain/core/read';
import { PREFIX, SAVED } from './storedNames';

/** By key: shows the text that another tab has saved. */
const all = new Map<string, (text: string | null) => void>();

const ALL_TABS: readonly (() => Storage)[] = [() => localStorage];
const THIS_TAB: readonly (() => Storage)[] = [() => sessionStorage, () => localStorage];

/**
 * A signal saved in localStorage and synchronised between tabs. `read` must reject invalid values,
 * because storage is untrusted input. Without storage the value lives as long as the page.
 */
export function stored<T>(
  name: string,
  initial: T,
  read: (value: unknown) => T | undefined,
): Signal<T> {
  const key = PREFIX + name;
  const { source, receive } = saved(key, ALL_TABS, initial, read);
  all.set(key, receive);
  return source;
}

/** As `stored`, but each tab has its own value; a new tab starts with the one that was set last. */
export function storedByTab<T>(
  name: string,
  initial: T,
  read: (value: unknown) => T | undefined,
): Signal<T> {
  return saved(PREFIX + name, THIS_TAB, initial, read).source;
}

/** A signal with the value that the first of some storages has; saved in all of them. */
function saved<T>(
  key: string,
  storages: readonly (() => Storage)[],
  initial: T,
  read: (value: unknown) => T | undefined,
) {
  const known = storages.map((storage) => parse(load(storage, key), read));
  const source = signal(known.find((value) => value !== undefined) ?? initial);
  let former = source.peek();
  source.subscribe((value) => {
    if (value === former) return;
    former = value;
    for (const storage of storages) save(storage, key, value);
  });
  return {
    source,
    /** Not saved again: a tab of another version may have saved what this one does not know. */
    receive(text: string | null): void {
      former = parse(text, read) ?? initial;
      source.value = former;
    },
  };
}

function parse<T>(text: string | null, read: (value: unknown) => T | undefined): T | undefined {
  if (text === null) return undefined;
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function load(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function save(storage: () => Storage, key: string, value: unknown): void {
  try {
    if (value === undefined) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
    dispatchEvent(new Event(SAVED));
  } catch {
    // Storage is full or forbidden: the value lives as long as the page.
  }
}

addEventListener('storage', (event) => {
  if (event.key !== null) all.get(event.key)?.(event.newValue);
});

/** A `read` for a union of strings. */
export function oneOf<T extends string>(...words: readonly T[]): (value: unknown) => T | undefined {
  return (value) => words.find((word) => word === value);
}

/** A `read` for an array; invalid items are dropped. */
export function listOf<T>(item: (value: unknown) => T | undefined) {
  return (value: unknown): T[] | undefined =>
    Array.isArray(value)
      ? value.map(item).filter((entry): entry is T => entry !== undefined)
      : undefined;
}

/** By the id of an instrument. */
export type ByInstrument<T> = Readonly<Record<string, T>>;

/** A `read` for what each instrument has of its own; invalid entries are dropped. */
export function byInstrument<T>(item: (value: unknown) => T | undefined) {
  return (value: unknown): ByInstrument<T> | undefined => {
    const fields = readFields(value);
    if (!fields) return undefined;
    const entries = Object.entries(fields).flatMap(([id, entry]) => {
      const known = item(entry);
      return known === undefined ? [] : [[id, known] as const];
    });
    return Object.fromEntries(entries);
  };
}

export function aNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function aBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function aText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
