import { computed } from '@preact/signals-core';
import {
  INDICATOR_KINDS,
  INDICATORS,
  type IndicatorKind,
  type IndicatorSpec,
  isIndicatorSpec,
  usualIndicator,
} from '#domain/indicators/catalogue';
import { listOf, oneOf, stored } from '../preferences/stored';
import { type Colour, INDICATOR_STYLES, PALETTE } from './indicatorStyle';
import { INDICATORS_KEY } from './savedIndicators';

/** An indicator that the user has chosen, for all charts of this device. */
export interface ChosenIndicator extends IndicatorSpec {
  id: number;
  /** Of each line. */
  colours: readonly Colour[];
  hidden: boolean;
  /** Height of its pane, that of the bars' pane counted as three. Undefined: the usual one. */
  height?: number | undefined;
}

/** A pane that is lower or higher has been broken by something else than a drag. */
const LEAST_HEIGHT = 0.1;
const MOST_HEIGHT = 60;

/** As many can be chosen. */
const MOST_INDICATORS = 12;

/** Indicators as they were saved; undefined where it is no list of them. */
export function readIndicators(value: unknown): ChosenIndicator[] | undefined {
  const list = listOf(readChosen)(value)?.slice(0, MOST_INDICATORS);
  const ids = new Set<number>();
  return list?.filter(({ id }) => !ids.has(id) && ids.add(id));
}

/** Saved. */
export const chosen = stored<ChosenIndicator[]>(INDICATORS_KEY, [], readIndicators);

/** Kinds that the user finds first in the list, on this device. */
export const favouriteKinds = stored<IndicatorKind[]>(
  'indicator-favourites',
  [],
  listOf(oneOf(...INDICATOR_KINDS)),
);

export function toggleFavouriteKind(kind: IndicatorKind): void {
  const others = favouriteKinds.peek().filter((each) => each !== kind);
  const known = others.length < favouriteKinds.peek().length;
  favouriteKinds.value = known ? others : [...others, kind];
}

function readChosen(value: unknown): ChosenIndicator | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, kind, parameters, colours, hidden, height } = value as Record<string, unknown>;
  const known = INDICATOR_KINDS.find((each) => each === kind);
  if (!known || !Number.isSafeInteger(id) || !areNumbers(parameters)) return undefined;
  if (!isIndicatorSpec({ kind: known, parameters })) return undefined;
  const usual = INDICATOR_STYLES[known].colours;
  const read = listOf(oneOf(...PALETTE))(colours);
  return {
    id: id as number,
    kind: known,
    parameters,
    colours: read?.length === usual.length ? read : usual,
    hidden: hidden === true,
    ...(isHeight(height) && { height }),
  };
}

function isHeight(value: unknown): value is number {
  return typeof value === 'number' && value >= LEAST_HEIGHT && value <= MOST_HEIGHT;
}

function areNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number');
}

/** Adds an indicator with its usual parameters, as the last one. Returns its id. */
export function addIndicator(kind: IndicatorKind): number {
  // At random: two devices of a user may add one at once.
  const [id = 0] = crypto.getRandomValues(new Uint32Array(1));
  const { colours } = INDICATOR_STYLES[kind];
  chosen.value = [...chosen.peek(), { id, ...usualIndicator(kind), colours, hidden: false }];
  return id;
}

export function changeIndicator(id: number, change: Partial<Omit<ChosenIndicator, 'id' | 'kind'>>) {
  chosen.value = chosen.peek().map((each) => (each.id === id ? { ...each, ...change } : each));
}

/** Keeps the heights of panes, by the id of the indicator. */
export function saveHeights(heights: ReadonlyMap<number, number>): void {
  const next = chosen.peek().map((each) => {
    const height = heights.get(each.id);
    return isHeight(height) && height !== (each.height ?? 1) ? { ...each, height } : each;
  });
  if (next.some((each, at) => each !== chosen.peek()[at])) chosen.value = next;
}

/** Gives all panes their usual heights. */
export function resetHeights(): void {
  chosen.value = chosen.peek().map(({ height: _, ...rest }) => rest);
}

export function removeIndicator(id: number): void {
  chosen.value = chosen.peek().filter((each) => each.id !== id);
}

/** The most panes of a chart, that of the price counted: more leave the bars no room. `low`: a phone held sideways. */
export function mostPanes(wide: boolean, low: boolean): number {
  if (low) return 2;
  return wide ? 6 : 3;
}

/** Those that are drawn where there is room for `panes`: the first ones of those with a pane of their own. */
export function shownIndicators(
  all: readonly ChosenIndicator[],
  panes: number,
): readonly ChosenIndicator[] {
  let left = panes - 1;
  return all.filter(
    ({ kind, hidden }) => !hidden && (INDICATORS[kind].place === 'price' || left-- > 0),
  );
}

/** Whether no more can be chosen. */
export const isFull = computed(() => chosen.value.length >= MOST_INDICATORS);
