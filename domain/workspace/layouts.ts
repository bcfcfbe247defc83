/** The layouts of a user: shipped ones, as they were changed, and own ones with a name. */

import { readJson } from '../core/json';
import { readFields } from '../core/read';
import type { Message } from '../core/rule';
import { isSingleLine } from '../core/text';
import type { Layout } from './layout';
import { type PanelKinds, readLayout } from './read-layout';

/** Layouts that every user has. They have no name of their own: the app names them in its language. */
export const SHIPPED = ['one', 'two', 'four', 'nine', 'scan'] as const;
export type ShippedId = (typeof SHIPPED)[number];

/** An own layout. */
export type OwnId = `own-${string}`;
export type LayoutId = ShippedId | OwnId;

interface OwnLayout {
  readonly id: OwnId;
  readonly name: string;
}

/** What is kept on the device. */
export interface Layouts {
  readonly current: LayoutId;
  readonly own: readonly OwnLayout[];
  /** Own layouts, and shipped ones that were changed. */
  readonly layouts: Readonly<Partial<Record<LayoutId, Layout>>>;
}

/** The version of what is kept and of files. A larger one is of a newer app, which is left alone. */
const LAYOUTS_VERSION = 1;
/** Most own layouts. */
export const MOST_LAYOUTS = 20;
/** Most characters of a name. */
export const MAX_LAYOUT_NAME = 32;

export const isShipped = (id: unknown): id is ShippedId =>
  SHIPPED.some((shipped) => shipped === id);

const isOwn = (id: unknown): id is OwnId =>
  typeof id === 'string' && id.startsWith('own-') && id.length <= 64;

export const isLayoutId = (id: unknown): id is LayoutId => isShipped(id) || isOwn(id);

/** A name as it is kept: without the space around it, each letter in its one form. */
export function layoutName(text: string): string {
  return text.trim().normalize('NFC');
}

/** The first rule that a new name breaks; `others` are the names of all other layouts. */
export function layoutNameProblem(text: string, others: readonly string[]): Message | undefined {
  const name = layoutName(text);
  if (name === '') return { key: 'layoutNameRequired' };
  if (!isSingleLine(name)) return { key: 'textForging' };
  if ([...name].length > MAX_LAYOUT_NAME) {
    return { key: 'textTooLong', params: { max: MAX_LAYOUT_NAME } };
  }
  const folded = name.toLowerCase();
  return others.some((other) => layoutName(other).toLowerCase() === folded)
    ? { key: 'layoutNameTaken' }
    : undefined;
}

/** What is kept, as it is written. */
export function writeLayouts(layouts: Layouts): object {
  return { version: LAYOUTS_VERSION, ...layouts };
}

/**
 * Reads what is kept; `newer`: a later version of the app has written it, and it must stay as it
 * is. Undefined where there is nothing to read.
 */
export function readLayouts(value: unknown, kinds: PanelKinds): Layouts | 'newer' | undefined {
  const fields = readFields(value);
  const version = fields?.['version'];
  if (!fields || typeof version !== 'number') return undefined;
  if (version > LAYOUTS_VERSION) return 'newer';
  const given = readFields(fields['layouts']) ?? {};
  const layouts: Partial<Record<LayoutId, Layout>> = {};
  for (const [id, one] of Object.entries(given)) {
    const layout = isLayoutId(id) ? readLayout(one, kinds) : undefined;
    if (layout) layouts[id as LayoutId] = layout;
  }
  const own: OwnLayout[] = [];
  for (const one of Array.isArray(fields['own']) ? fields['own'] : []) {
    const { id, name } = readFields(one) ?? {};
    if (!isOwn(id) || typeof name !== 'string' || !layouts[id]) continue;
    const names = own.map((other) => other.name);
    if (layoutNameProblem(name, names) || own.some((other) => other.id === id)) continue;
    if (own.length < MOST_LAYOUTS) own.push({ id, name: layoutName(name) });
  }
  const current = fields['current'];
  const known = isShipped(current) || own.some(({ id }) => id === current);
  return { current: known ? (current as LayoutId) : 'one', own, layouts };
}

/** A layout as a file. */
export function writeLayoutFile(name: string, layout: Layout): string {
  return JSON.stringify({ fulcrum: 'layout', version: LAYOUTS_VERSION, name, layout }, null, 2);
}

export type LayoutFile =
  | { ok: true; name: string; layout: Layout }
  /** It holds no layout, or one of a newer version of the app. */
  | { ok: false; problem: 'notLayout' | 'newer' };

/** Reads a file that `writeLayoutFile` may have written. The name is cut to what a name may have. */
export function readLayoutFile(text: string, kinds: PanelKinds): LayoutFile {
  const fields = readFields(readJson(text));
  const version = fields?.['version'];
  if (fields?.['fulcrum'] !== 'layout' || typeof version !== 'number') {
    return { ok: false, problem: 'notLayout' };
  }
  if (version > LAYOUTS_VERSION) return { ok: false, problem: 'newer' };
  const layout = readLayout(fields['layout'], kinds);
  if (!layout) return { ok: false, problem: 'notLayout' };
  const given = typeof fields['name'] === 'string' ? layoutName(fields['name']) : '';
  const name = isSingleLine(given) ? [...given].slice(0, MAX_LAYOUT_NAME).join('').trim() : '';
  return { ok: true, name, layout };
}
