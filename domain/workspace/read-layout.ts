/** Reads layouts from the device, from a file or from another window: all of it is untrusted. */

import { type Fields, readFields, readRows } from '../core/read';
import { CHART_PERIODS, type ChartPeriod } from '../market/kline';
import {
  type Area,
  type Box,
  type Float,
  type Layout,
  MAIN_AREA,
  MOST_PANELS,
  MOST_WINDOWS,
  type Node,
  PANEL_GROUPS,
  type Panel,
  type PanelGroup,
  type ScreenPlace,
  type Shared,
  type Stack,
  tidy,
} from './layout';

/** The kinds of panel that the app has, and how many of each a layout may hold. */
export type PanelKinds = ReadonlyMap<string, number>;

/** Most characters of what a panel keeps as its settings, as JSON. */
const MOST_SETTINGS = 4000;
/** Most characters of the code of an instrument. */
const MOST_CODE = 64;
/** Deeper splits are no layout of ours. */
const DEEPEST = 24;

/**
 * A layout by the rules of `tidy`. What cannot be read of it is left out: panels of unknown kinds,
 * shares that are no numbers. Undefined where nothing is left.
 */
export function readLayout(value: unknown, kinds: PanelKinds): Layout | undefined {
  const fields = readFields(value);
  const given = readFields(fields?.['panels']);
  if (!fields || !given) return undefined;
  const panels = readPanels(given, kinds);
  const areas = readRows(fields['areas'], readArea)?.slice(0, MOST_WINDOWS + 1) ?? [];
  const main = areas.find(({ id }) => id === MAIN_AREA);
  const windows = new Map(
    areas.filter(({ id }) => id !== MAIN_AREA).map((area) => [area.id, area]),
  );
  const shares = readFields(fields['shares']);
  const layout = tidy({
    panels,
    areas: [main ?? { id: MAIN_AREA, root: undefined, floats: [] }, ...windows.values()],
    links: readLinks(fields['links']),
    shares: { crosshair: shares?.['crosshair'] === true, period: shares?.['period'] === true },
  });
  return Object.keys(layout.panels).length > 0 ? layout : undefined;
}

function readPanels(given: Fields, kinds: PanelKinds): Record<string, Panel> {
  const counts = new Map<string, number>();
  const panels: [string, Panel][] = [];
  for (const [id, value] of Object.entries(given)) {
    const panel = readPanel(value);
    const count = (panel ? (counts.get(panel.kind) ?? 0) : 0) + 1;
    if (!panel || count > (kinds.get(panel.kind) ?? 0) || panels.length >= MOST_PANELS) continue;
    counts.set(panel.kind, count);
    panels.push([id, panel]);
  }
  return Object.fromEntries(panels);
}

function readPanel(value: unknown): Panel | undefined {
  const fields = readFields(value);
  const kind = fields?.['kind'];
  if (!fields || typeof kind !== 'string') return undefined;
  const link = PANEL_GROUPS.find((known) => known === fields['link']);
  const settings = fields['settings'];
  return {
    kind,
    ...(link && { link }),
    ...readShared(fields),
    ...(settings !== undefined && isSmall(settings) && { settings }),
  };
}

function isSmall(settings: unknown): boolean {
  try {
    return JSON.stringify(settings).length <= MOST_SETTINGS;
  } catch {
    return false;
  }
}

/** An instrument and a period, each where it can be read. */
function readShared(value: unknown): Shared {
  const fields = readFields(value);
  const code = fields?.['code'];
  const period = CHART_PERIODS.find((known): known is ChartPeriod => known === fields?.['period']);
  const isCode = typeof code === 'string' && code !== '' && code.length <= MOST_CODE;
  return { ...(isCode && { code }), ...(period && { period }) };
}

function readLinks(value: unknown): Partial<Record<PanelGroup, Shared>> {
  const fields = readFields(value);
  return Object.fromEntries(
    PANEL_GROUPS.flatMap((link) => (fields?.[link] ? [[link, readShared(fields[link])]] : [])),
  );
}

function readArea(value: unknown): Area | undefined {
  const fields = readFields(value);
  const id = fields?.['id'];
  if (!fields || typeof id !== 'string' || id === '' || id.length > MOST_CODE) return undefined;
  const screen = readScreen(fields['screen']);
  return {
    id,
    root: readNode(fields['root'], 0),
    floats: readRows(fields['floats'], readFloat) ?? [],
    ...(screen && { screen }),
  };
}

function readNode(value: unknown, depth: number): Node | undefined {
  const fields = readFields(value);
  if (!fields || depth > DEEPEST) return undefined;
  if (!('parts' in fields)) return readStack(fields);
  const { way, parts: given, shares: numbers } = fields;
  const length = aNumber(fields['length']);
  if ((way !== 'row' && way !== 'column') || !Array.isArray(given)) return undefined;
  const parts: Node[] = [];
  const shares: number[] = [];
  for (const [index, part] of given.entries()) {
    const node = readNode(part, depth + 1);
    if (!node) continue;
    parts.push(node);
    shares.push(aNumber(Array.isArray(numbers) ? numbers[index] : undefined) ?? 0);
  }
  return { way, parts, shares, ...(length !== undefined && length > 0 && { length }) };
}

function readStack(fields: Fields): Stack | undefined {
  const panels = readRows(fields['panels'], (id) => (typeof id === 'string' ? id : undefined));
  const [first] = panels ?? [];
  if (!panels || first === undefined) return undefined;
  const active = fields['active'];
  return { panels, active: typeof active === 'string' ? active : first };
}

function readFloat(value: unknown): Float | undefined {
  const fields = readFields(value);
  const stack = readStack(readFields(fields?.['stack']) ?? {});
  const box = readFields(fields?.['box']);
  if (!stack || !box) return undefined;
  const side = (name: keyof Box) => aNumber(box[name]) ?? 0;
  return {
    stack,
    box: { x: side('x'), y: side('y'), width: side('width'), height: side('height') },
  };
}

/** Where a window stands; undefined where that is no place. */
export function readScreen(value: unknown): ScreenPlace | undefined {
  const fields = readFields(value);
  const [left, top, width, height] = ['left', 'top', 'width', 'height'].map((name) =>
    aNumber(fields?.[name]),
  );
  if (left === undefined || top === undefined || !width || !height) return undefined;
  if (width < 0 || height < 0) return undefined;
  return { left, top, width, height };
}

function aNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
