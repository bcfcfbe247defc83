import { computed, signal } from '@preact/signals-core';
import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import { readFields } from '#domain/core/read';
import { stored } from '../preferences/stored';

/** Something that a key, the palette and the list of keys offer (screens.md#keyboard). */
export interface Action {
  /** Kept with its key on the device: it never changes. */
  id: string;
  /** In the shown language. */
  text(): string;
  /** Its key unless the user has chosen another: one character, a letter in lower case. */
  key?: string;
  run(): void;
}

interface Offer {
  actions: readonly Action[];
  /** The panel that offers them, among several of its kind. */
  panel: string | undefined;
}

const offers = signal<readonly Offer[]>([]);
/** The panel of the workspace that had the focus last. */
export const lastUsed = signal<string | undefined>(undefined);
/** The panel that a component is in. */
export const ActionPanel = createContext<string | undefined>(undefined);

/** The actions of what is on screen, those with a usual key first. */
export const actions = computed(() => {
  const byId = new Map<string, Action>();
  const used = lastUsed.value;
  const isUsed = ({ panel }: Offer) => panel !== undefined && panel === used;
  for (const offer of [...offers.value].sort((a, b) => Number(isUsed(a)) - Number(isUsed(b)))) {
    for (const action of offer.actions) byId.set(action.id, action);
  }
  return [...byId.values()].sort((a, b) => Number(!a.key) - Number(!b.key));
});

/**
 * Offers actions. Of several of one id, that of the panel used last counts, otherwise the latest.
 * Returns the function that ends it.
 */
export function register(offered: readonly Action[], panel?: string): () => void {
  const offer: Offer = { actions: offered, panel };
  offers.value = [...offers.peek(), offer];
  return () => {
    offers.value = offers.peek().filter((other) => other !== offer);
  };
}

/** Offers actions while a component is mounted; `name` changes where they are others. */
export function useActions(name: string, make: () => readonly Action[]): void {
  const panel = useContext(ActionPanel);
  const offered = useEffectEvent(make);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `name` stands for the actions
  useEffect(() => register(offered(), panel), [name, panel]);
}

/** The name of a key that an action can have; undefined for others. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]$/.test(value) && value === value.toLowerCase();
}

/** Keys as they are stored: only those that can be pressed, each for one action. An empty one is none. */
export function readKeys(value: unknown): Readonly<Record<string, string>> | undefined {
  const fields = readFields(value);
  if (!fields) return undefined;
  const taken = new Set<string>();
  const keys = Object.entries(fields).filter(([, key]) => {
    if (key === '') return true;
    if (!isKey(key) || taken.has(key)) return false;
    taken.add(key);
    return true;
  });
  return Object.fromEntries(keys as [string, string][]);
}

/** The user's keys by action; empty where an action has none. */
const keys = stored<Readonly<Record<string, string>>>('keys', {}, readKeys);

/** The key of each action on screen. Where two want the same, that of the user goes first. */
export const keyed = computed(() => {
  const byKey = new Map<string, Action>();
  const own = keys.value;
  const chosen = new Set(Object.values(own));
  for (const action of actions.value) {
    const key = own[action.id];
    if (key) byKey.set(key, action);
  }
  for (const action of actions.value) {
    const { id, key } = action;
    if (key && own[id] === undefined && !chosen.has(key) && !byKey.has(key)) byKey.set(key, action);
  }
  return byKey;
});

const keysById = computed(() => new Map([...keyed.value].map(([key, { id }]) => [id, key])));

/** The key that runs an action now. */
export function keyOf({ id }: Action): string | undefined {
  return keysById.value.get(id);
}

/** Gives an action a key, which another one then has no more; undefined takes its key away. */
export function bind(action: Action, key: string | undefined): void {
  const former = key === undefined ? undefined : keyed.peek().get(key);
  const next = { ...keys.peek() };
  // Also of actions that are not on screen.
  for (const [id, taken] of Object.entries(next)) if (taken === key) next[id] = '';
  if (former && former.id !== action.id) next[former.id] = '';
  next[action.id] = key ?? '';
  keys.value = next;
}

/** Gives every action its usual key again. */
export function resetKeys(): void {
  keys.value = {};
}
