/** Ordered lists as fields of settings: each element has its place, so that two devices may add and move elements at once. */

import { readJson } from '../core/json';
import { readFields } from '../core/read';

/** JSON texts by field. */
export type SettingsFields = Readonly<Record<string, string>>;

/** An element of a list; `id` is the end of its field's name. */
export interface Element {
  id: string;
  /** Without its place. */
  value: object;
}

/** The elements of a list as fields `list/id`. Those that have not moved keep the place that `former` says. */
export function listFields(
  list: string,
  elements: readonly Element[],
  former: SettingsFields,
): Record<string, string> {
  const prefix = `${list}/`;
  const places = placed(
    elements.map(({ id }) => id),
    (id) => placeIn(former[prefix + id]),
  );
  return Object.fromEntries(
    elements.map(({ id, value }, index) => [
      prefix + id,
      JSON.stringify({ at: places[index], ...value }),
    ]),
  );
}

/** The elements of a list in their order, with all that their fields have. */
export function listOfFields(
  list: string,
  fields: SettingsFields,
): { id: string; value: Readonly<Record<string, unknown>> }[] {
  const prefix = `${list}/`;
  return Object.entries(fields)
    .flatMap(([field, text]) => {
      const id = field.startsWith(prefix) ? field.slice(prefix.length) : '';
      const read = id !== '' && !id.includes('/') ? readValue(text) : undefined;
      const { at, id: _, ...value } = read ?? {};
      return typeof at === 'number' ? [{ id, at, value }] : [];
    })
    .sort((a, b) => a.at - b.at || compareText(a.id, b.id))
    .map(({ id, value }) => ({ id, value }));
}

/** What a field says apart from its place in a list. */
export function contentOf(text: string): string {
  const value = readValue(text);
  if (value?.['at'] === undefined) return text;
  const { at: _, ...rest } = value;
  return JSON.stringify(rest);
}

const readValue = (text: string) => readFields(readJson(text));

function placeIn(text: string | undefined): number | undefined {
  const at = text === undefined ? undefined : readValue(text)?.['at'];
  return typeof at === 'number' ? at : undefined;
}

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/**
 * Increasing places for ids in their order: as many as possible keep theirs, the others get one between them. Where
 * numbers have no room between two places, all are numbered anew.
 */
function placed(ids: readonly string[], formerOf: (id: string) => number | undefined): number[] {
  const former = ids.map(formerOf);
  const kept = longestRising(ids, former);
  const places: number[] = [];
  let from = 0;
  while (from < ids.length) {
    const next = kept.find((index) => index >= from) ?? ids.length;
    const before = places.at(-1);
    const after = former[next];
    const count = next - from;
    for (let index = 1; index <= count; index++) {
      if (before === undefined) places.push((after ?? count + 1) - (count + 1 - index));
      else if (after === undefined) places.push(before + index);
      else places.push(before + ((after - before) * index) / (count + 1));
    }
    if (after !== undefined) places.push(after);
    from = next + 1;
  }
  // Two devices may have given the same place: then the ids decide.
  const rises = places.every((place, index) => {
    const last = places[index - 1];
    if (last === undefined || place > last) return true;
    return place === last && compareText(ids[index - 1] as string, ids[index] as string) < 0;
  });
  return rises ? places : ids.map((_, index) => index + 1);
}

/** The indexes of the longest rising sequence of places; missing places are left out. */
function longestRising(ids: readonly string[], places: readonly (number | undefined)[]): number[] {
  const known = places.flatMap((place, index) => (place === undefined ? [] : [{ place, index }]));
  /** By length: the last element of the sequence that ends lowest. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  known.forEach(({ place, index }, at) => {
    let length = 0;
    let high = ends.length;
    while (length < high) {
      const middle = (length + high) >> 1;
      const end = known[ends[middle] as number] as (typeof known)[number];
      const isBelow =
        end.place < place ||
        (end.place === place && compareText(ids[end.index] as string, ids[index] as string) < 0);
      if (isBelow) length = middle + 1;
      else high = middle;
    }
    before[at] = ends[length - 1];
    ends[length] = at;
  });
  const rising: number[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) {
    rising.unshift((known[at] as (typeof known)[number]).index);
  }
  return rising;
}
