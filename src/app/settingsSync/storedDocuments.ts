import {
  type Element,
  listFields,
  listOfFields,
  type SettingsFields,
} from '#domain/account/settingsFields';
import { readFields } from '#domain/core/read';
import { INDICATOR_KINDS } from '#domain/indicators/catalogue';
import { readTemplates } from '../../features/trading/chart/indicators/templates';
import { keptDrawings } from '../../features/trading/drawings/drawingsFile';
import { drawingsKey } from '../../features/trading/drawings/savedDrawings';
import { type ChosenIndicator, readIndicators } from '../../instruments/indicatorSettings';
import { INDICATORS_KEY } from '../../instruments/savedIndicators';
import { readGridSettings } from '../../preferences/gridSettings';
import { aNumber, listOf, oneOf } from '../../preferences/stored';
import { PREFIX } from '../../preferences/storedNames';
import { readWatchlists } from '../../preferences/watchlists';
import { readKeys } from '../../shortcuts/actions';

/** A part of the user's settings. Fields are named within the document. */
export interface SettingsDocument {
  readonly name: string;
  /**
   * Puts in the place of the document's fields what `make` returns, in one step; undefined leaves them. Elements of lists keep the
   * places that `former` says. Returns what there was, and what there is; undefined where the document can't be read now.
   */
  update(
    former: SettingsFields,
    make: (fields: SettingsFields) => SettingsFields | undefined,
  ): Promise<{ before: SettingsFields; after: SettingsFields } | undefined>;
}

/** How a document is kept in localStorage: read as the app itself reads it, so that what it drops does not count as deleted. */
interface Kept {
  /** The names of its values, without the common prefix. */
  names(): readonly string[];
  /** `value` returns a value as it is kept. */
  read(value: (name: string) => unknown, former: SettingsFields): Record<string, string>;
  /** Values by name; undefined ones are removed. */
  write(fields: SettingsFields, value: (name: string) => unknown): Record<string, unknown>;
}

/** Values that are one field each. */
function values(...names: string[]): Kept {
  return {
    names: () => names,
    read: (value) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const known = value(name);
          return known === undefined ? [] : [[name, JSON.stringify(known)]];
        }),
      ),
    write: (fields) => Object.fromEntries(names.map((name) => [name, parse(fields[name])])),
  };
}

/** A value that is an object, each entry of which is a field `prefix/key`. */
function entries(
  name: string,
  prefix: string,
  read: (value: unknown) => Readonly<Record<string, unknown>> | undefined,
): Kept {
  return {
    names: () => [name],
    read: (value) =>
      Object.fromEntries(
        Object.entries(read(value(name)) ?? {}).map(([key, entry]) => [
          `${prefix}/${key}`,
          JSON.stringify(entry),
        ]),
      ),
    write(fields) {
      const given = Object.entries(fields)
        .filter(([field]) => field.startsWith(`${prefix}/`))
        .map(([field, text]) => [field.slice(prefix.length + 1), parse(text)]);
      return { [name]: given.length > 0 ? Object.fromEntries(given) : undefined };
    },
  };
}

/** A list; each element is a field `prefix/id`. */
function list<T>(
  name: string,
  prefix: string,
  read: (value: unknown) => readonly T[] | undefined,
  toElement: (item: T) => Element,
  fromElement: (id: string, value: Readonly<Record<string, unknown>>) => unknown,
): Kept {
  return {
    names: () => [name],
    read: (value, former) => listFields(prefix, (read(value(name)) ?? []).map(toElement), former),
    write(fields) {
      const items = listOfFields(prefix, fields).map(({ id, value }) => fromElement(id, value));
      return { [name]: items.length > 0 ? items : undefined };
    },
  };
}

function together(...parts: Kept[]): Kept {
  return {
    names: () => parts.flatMap((part) => part.names()),
    read: (value, former) => Object.assign({}, ...parts.map((part) => part.read(value, former))),
    write: (fields, value) => Object.assign({}, ...parts.map((part) => part.write(fields, value))),
  };
}

const ids = listOf(aNumber);

/** Numbers of instruments, each once. */
const numberElement = (id: number): Element => ({ id: String(id), value: {} });

/** The lists of a user: `list/ID`, and their instruments `list/ID/INSTRUMENT`. */
const watchlists: Kept = {
  names: () => ['watchlists'],
  read(value, former) {
    const lists = readWatchlists(value('watchlists')) ?? [];
    const named = lists.map(({ id, name }) => ({ id, value: { name } }));
    const members = lists.map(({ id, instruments }) =>
      listFields(`list/${id}`, instruments.map(numberElement), former),
    );
    return Object.assign(listFields('list', named, former), ...members);
  },
  write(fields) {
    const lists = listOfFields('list', fields).map(({ id, value: { name } }) => ({
      ...{ id, name },
      instruments: listOfFields(`list/${id}`, fields).map((member) => Number(member.id)),
    }));
    return { watchlists: lists.length > 0 ? lists : undefined };
  },
};

const GRID = ['sort', 'descending', 'grouped'] as const;

/** The columns of the market's grid, and how it is sorted. */
const grid: Kept = {
  names: () => ['grid'],
  read(value, former) {
    const read = value('grid') === undefined ? undefined : readGridSettings(value('grid'));
    if (!read) return {};
    const columns = read.columns.map(({ id, ...rest }) => ({ id, value: rest }));
    const rest = GRID.map((name) => [`grid-${name}`, JSON.stringify(read[name])] as const);
    return { ...listFields('column', columns, former), ...Object.fromEntries(rest) };
  },
  write(fields) {
    const columns = listOfFields('column', fields).map(({ id, value }) => ({ id, ...value }));
    const rest = GRID.map((name) => [name, parse(fields[`grid-${name}`])]);
    const settings = { columns, ...Object.fromEntries(rest) };
    return { grid: columns.length > 0 ? settings : undefined };
  },
};

const indicatorElement = ({ id, ...value }: ChosenIndicator): Element => ({
  ...{ id: String(id), value },
});

/** A template has no id: it is its indicators. */
function templateElement(indicators: readonly ChosenIndicator[]): Element {
  const made = indicators.map(({ kind, parameters }) => [kind, ...parameters].join(' '));
  return { id: hashOf(made.join()), value: { indicators } };
}

/** 64 bits of FNV-1a, of the text forwards and backwards. */
function hashOf(text: string): string {
  const signs = [...text];
  return [signs, signs.toReversed()]
    .map((order) =>
      order
        .reduce(
          (hash, sign) => Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193),
          0x811c9dc5,
        )
        .toString(36)
        .replace('-', 'n'),
    )
    .join('-');
}

const DRAWINGS = drawingsKey('').slice(PREFIX.length);

/** The drawings of each instrument: `CODE/ID`. Those of a newer version stay as they are. */
const drawings: Kept = {
  names: () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + DRAWINGS))
      .map((key) => key.slice(PREFIX.length)),
  read(value, former) {
    const read = drawings.names().map((name) => {
      const code = encodeURIComponent(name.slice(DRAWINGS.length));
      const rows = keptDrawings(JSON.stringify(value(name)));
      if (rows) {
        const elements = rows.map(({ id, ...rest }) => ({ id, value: rest }));
        return listFields(code, elements, former);
      }
      const untouched = Object.entries(former).filter(([field]) => field.startsWith(`${code}/`));
      return Object.fromEntries(untouched);
    });
    return Object.assign({}, ...read);
  },
  write(fields, value) {
    const codes = new Set(Object.keys(fields).map((field) => field.split('/', 1)[0] ?? ''));
    for (const name of drawings.names()) codes.add(encodeURIComponent(name.slice(DRAWINGS.length)));
    const written: Record<string, unknown> = {};
    for (const code of codes) {
      const instrument = decodeURIComponent(code);
      const name = DRAWINGS + instrument;
      if (!keptDrawings(JSON.stringify(value(name) ?? null))) continue;
      const rows = listOfFields(code, fields).map(({ id, value }) => ({ id, ...value }));
      const file = { format: 'fulcrum-drawings', version: 1, instrument, drawings: rows };
      written[name] = rows.length > 0 ? file : undefined;
    }
    return written;
  },
};

const aKind = oneOf(...INDICATOR_KINDS);

/**
 * What follows the account. Leverage, sizes, one-tap trading, data saver and notifications are matters of the device, or of money, and not
 * here.
 */
const KEPT: Readonly<Record<string, Kept>> = {
  watchlists: together(
    list('favourites', 'favourites', (value) => unique(ids(value)), numberElement, Number),
    watchlists,
  ),
  columns: together(values('sort', 'descending', 'heat-map'), grid),
  chart: together(
    values('period', 'chart-type', 'chart-axis', 'chart-breaks', 'chart-countdown', 'chart-book'),
    values('chart-trades', 'draw-magnet', 'draw-style'),
    entries('chart-compare', 'compare', readFields),
  ),
  indicators: together(
    list(INDICATORS_KEY, 'on', readIndicators, indicatorElement, (id, value) => ({
      ...{ id: Number(id), ...value },
    })),
    list(
      'indicator-favourites',
      'favourite',
      listOf(aKind),
      (id) => ({ id, value: {} }),
      (id) => id,
    ),
  ),
  'indicator-templates': list(
    'indicator-templates',
    'template',
    readTemplates,
    templateElement,
    (_id, { indicators }) => indicators,
  ),
  drawings,
  keys: entries('keys', 'key', readKeys),
  appearance: values('theme', 'trend'),
};

function unique<T>(items: readonly T[] | undefined): T[] {
  return [...new Set(items)];
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The documents in localStorage. */
export const STORED_DOCUMENTS: readonly SettingsDocument[] = Object.entries(KEPT).map(
  ([name, kept]) => ({
    name,
    async update(former, make) {
      // Without a pause: what the user changes comes before it or after it.
      const before = readKept(kept, former);
      const fields = before && make(before);
      if (!before || !fields) return before && { before, after: before };
      for (const [name, value] of Object.entries(kept.write(fields, keptValue))) {
        show(PREFIX + name, value === undefined ? null : JSON.stringify(value));
      }
      const after = readKept(kept, fields);
      return after && { before, after };
    },
  }),
);

/** Undefined where storage, or a value in it, can't be read. */
function readKept(kept: Kept, former: SettingsFields): SettingsFields | undefined {
  try {
    return kept.read(keptValue, former);
  } catch {
    return undefined;
  }
}

function keptValue(name: string): unknown {
  const text = localStorage.getItem(PREFIX + name);
  return text === null ? undefined : JSON.parse(text);
}

/** Keeps a value, and shows it in this page as if another tab had kept it. */
function show(key: string, newValue: string | null): void {
  const oldValue = localStorage.getItem(key);
  if (oldValue === newValue || (newValue && sameJson(oldValue, newValue))) return;
  if (newValue === null) localStorage.removeItem(key);
  else localStorage.setItem(key, newValue);
  dispatchEvent(
    new StorageEvent('storage', { key, oldValue, newValue, storageArea: localStorage }),
  );
}

/** Whether a text says the same in another form: drawings are kept with line breaks. */
function sameJson(one: string | null, other: string): boolean {
  return one !== null && JSON.stringify(parse(one)) === other;
}
