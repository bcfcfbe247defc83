import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  activatePanel,
  addPanel,
  areaOf,
  arrangedAs,
  arrangementOf,
  changePanel,
  changeShared,
  closePanel,
  dockPanel,
  floatPanel,
  isSplit,
  joinWindow,
  type Layout,
  LEAST_FLOAT,
  MAIN_AREA,
  MOST_PANELS,
  MOST_WINDOWS,
  moveSash,
  type Node,
  neighbour,
  type Panel,
  placedStacks,
  placeFloat,
  placeWindow,
  pushPanel,
  sashesOf,
  shownBy,
  stackOf,
  windowPanel,
} from '#domain/workspace/layout';
import { readLayout } from '#domain/workspace/read-layout';
import { samples, seed } from '../../helpers/samples';

const KINDS = new Map([
  ['chart', 16],
  ['list', MOST_PANELS],
  ['ticket', 1],
]);

const EMPTY: Layout = {
  panels: {},
  areas: [{ id: MAIN_AREA, root: undefined, floats: [] }],
  links: {},
  shares: { crosshair: false, period: false },
};

/** A layout of docked charts: each letter is one, made by docking at the end. */
function row(...ids: string[]): Layout {
  const [first = '', ...others] = ids;
  const panels = Object.fromEntries(ids.map((id): [string, Panel] => [id, { kind: 'chart' }]));
  const stack = (id: string) => ({ panels: [id], active: id });
  const root: Node = others.length
    ? { way: 'row', parts: ids.map(stack), shares: ids.map(() => 1 / ids.length) }
    : stack(first);
  return { ...EMPTY, panels, areas: [{ id: MAIN_AREA, root, floats: [] }] };
}

function keepsItsRules(layout: Layout): void {
  const shown: string[] = [];
  const visit = (node: Node) => {
    if (!isSplit(node)) {
      expect(node.panels).toContain(node.active);
      shown.push(...node.panels);
      return;
    }
    expect(node.parts.length).toBeGreaterThanOrEqual(2);
    expect(node.shares.length).toBe(node.parts.length);
    expect(node.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    for (const share of node.shares) expect(share).toBeGreaterThan(0);
    for (const part of node.parts) {
      expect(isSplit(part) && part.way === node.way).toBe(false);
      visit(part);
    }
  };
  expect(layout.areas[0]?.id).toBe(MAIN_AREA);
  expect(new Set(layout.areas.map(({ id }) => id)).size).toBe(layout.areas.length);
  expect(layout.areas.length).toBeLessThanOrEqual(MOST_WINDOWS + 1);
  for (const area of layout.areas) {
    const before = shown.length;
    if (area.root) visit(area.root);
    for (const { stack, box } of area.floats) {
      visit(stack);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(1 + 1e-9);
      expect(box.y + box.height).toBeLessThanOrEqual(1 + 1e-9);
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(LEAST_FLOAT);
    }
    if (area.id !== MAIN_AREA) expect(shown.length).toBeGreaterThan(before);
    // Docked stacks fill the area and do not overlap.
    const docked = placedStacks(area).filter(({ floating }) => !floating);
    const covered = docked.reduce((sum, { box }) => sum + box.width * box.height, 0);
    expect(covered).toBeCloseTo(area.root ? 1 : 0, 9);
  }
  expect(shown.toSorted()).toEqual(Object.keys(layout.panels).toSorted());
  expect(shown.length).toBeLessThanOrEqual(MOST_PANELS);
}

const side = fc.constantFrom('start', 'end', 'top', 'bottom');
const share = fc.double({ min: -1, max: 2 });
const box = fc.record({ x: share, y: share, width: share, height: share });

/** An edit, by numbers that pick among what there is. */
const edit = fc
  .tuple(
    fc.constantFrom<
      (
        layout: Layout,
        a: string,
        b: string,
        way: 'start' | 'end' | 'top' | 'bottom',
        at: typeof box extends fc.Arbitrary<infer B> ? B : never,
      ) => Layout
    >(
      (layout, a, _b, way) =>
        addPanel(layout, { kind: 'list' }, a ? { beside: a, side: way } : undefined)?.layout ??
        layout,
      (layout, a) =>
        addPanel(layout, { kind: 'list' }, a ? { into: a } : undefined)?.layout ?? layout,
      (layout, a) => closePanel(layout, a),
      (layout, a, b, way) => dockPanel(layout, a, { beside: b, side: way }),
      (layout, a, b) => dockPanel(layout, a, { into: b }),
      (layout, a, b) => dockPanel(layout, a, { into: b, before: b }),
      (layout, a, b, way) =>
        dockPanel(layout, a, { area: areaOf(layout, b)?.id ?? 'nowhere', side: way }),
      (layout, a, _b, way) => pushPanel(layout, a, way),
      (layout, a, _b, _way, at) => floatPanel(layout, a, at),
      (layout, a, _b, _way, at) => placeFloat(layout, a, at),
      (layout, a) => windowPanel(layout, a)?.layout ?? layout,
      (layout, a) => joinWindow(layout, areaOf(layout, a)?.id ?? MAIN_AREA),
      (layout, a) => activatePanel(layout, a),
      (layout, _a, _b, _way, at) => {
        const area = layout.areas[0];
        const sash = area && sashesOf(area).at(0);
        return sash ? moveSash(layout, MAIN_AREA, sash, at.x) : layout;
      },
    ),
    fc.nat(),
    fc.nat(),
    side,
    box,
  )
  .map(([change, a, b, way, at]) => (layout: Layout) => {
    const ids = Object.keys(layout.panels);
    const pick = (number: number) => ids[number % (ids.length + 1)] ?? '';
    return change(layout, pick(a), pick(b), way, at);
  });

test('whatever edits are made, a layout keeps its rules and loses no panel but those closed', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 60 }), (edits) => {
      let layout = row('a', 'b', 'c');
      for (const make of edits) {
        layout = make(layout);
        keepsItsRules(layout);
      }
      // It survives being kept, digit for digit.
      const kept = readLayout(JSON.parse(JSON.stringify(layout)), KINDS);
      const expected = Object.keys(layout.panels).length > 0 ? layout : undefined;
      expect(kept?.panels).toEqual(expected?.panels);
      expect(kept?.areas.map(({ id }) => id)).toEqual(expected?.areas.map(({ id }) => id));
      for (const [index, area] of (kept?.areas ?? []).entries()) {
        const before = expected?.areas[index];
        const stacks = (one: typeof before) => one && placedStacks(one).map(({ stack }) => stack);
        expect(stacks(area)).toEqual(stacks(before));
      }
    }),
    { seed, numRuns: samples(300, 20_000) },
  );
});

test('only closing removes a panel', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
      let layout = row('a', 'b', 'c');
      for (const make of edits) {
        const next = make(layout);
        const lost = Object.keys(layout.panels).filter((id) => !next.panels[id]);
        // `closePanel` is the one edit that does, one at a time.
        expect(lost.length).toBeLessThanOrEqual(1);
        if (lost[0] !== undefined) expect(closePanel(layout, lost[0])).toEqual(next);
        layout = next;
      }
    }),
    { seed, numRuns: samples(200, 5000) },
  );
});

test('any JSON at all is a layout by its rules, or none', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__');
  const stack = fc.record({ panels: fc.array(fc.oneof(id, fc.integer())), active: id });
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      stack,
      fc.jsonValue(),
      fc.record({
        way: fc.constantFrom('row', 'column', 'diagonal'),
        parts: fc.array(tie('node'), { maxLength: 4 }),
        shares: fc.oneof(fc.array(fc.oneof(fc.double(), fc.string())), fc.string()),
      }),
    ),
  }));
  const area = fc.record({
    id: fc.oneof(fc.constantFrom(MAIN_AREA, 'w1', 'w2'), fc.jsonValue()),
    root: node,
    floats: fc.oneof(
      fc.array(fc.record({ stack, box: fc.oneof(box, fc.jsonValue()) })),
      fc.jsonValue(),
    ),
    screen: fc.jsonValue(),
  });
  const panel = fc.oneof(
    fc.record({
      kind: fc.constantFrom('chart', 'list', 'ticket', 'unknown'),
      link: fc.oneof(fc.integer({ min: -1, max: 9 }), fc.string()),
      code: fc.jsonValue(),
      period: fc.oneof(fc.constant('5min'), fc.jsonValue()),
      settings: fc.jsonValue(),
    }),
    fc.jsonValue(),
  );
  const layout = fc.record({
    panels: fc.oneof(fc.dictionary(id, panel), fc.jsonValue()),
    areas: fc.oneof(fc.array(area, { maxLength: 12 }), fc.jsonValue()),
    links: fc.jsonValue(),
    shares: fc.jsonValue(),
  });
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(layout, fc.jsonValue()), (value) => {
      const result = readLayout(value, KINDS);
      if (!result) return;
      read += 1;
      keepsItsRules(result);
      for (const { kind } of Object.values(result.panels)) expect(KINDS.has(kind)).toBe(true);
    }),
    { seed, numRuns: samples(2000, 100_000) },
  );
  expect(read).toBeGreaterThan(20);
});

describe('reading', () => {
  test('leaves out panels of unknown kinds, and more of a kind than a layout may hold', () => {
    const value = structuredClone(row('a', 'b', 'c', 'd')) as unknown as {
      panels: Record<string, { kind: string }>;
    };
    value.panels['a'] = { kind: 'hologram' };
    value.panels['b'] = { kind: 'ticket' };
    value.panels['c'] = { kind: 'ticket' };
    expect(Object.keys(readLayout(value, KINDS)?.panels ?? {})).toEqual(['b', 'd']);
  });

  test('leaves out settings that are too large', () => {
    const layout = changePanel(row('a'), 'a', { settings: 'x'.repeat(5000) });
    expect(readLayout(layout, KINDS)?.panels['a']).toEqual({ kind: 'chart' });
  });
});

test('a panel docked beside another one halves its place, along an edge it takes part of the area', () => {
  const beside = dockPanel(row('a', 'b'), 'b', { beside: 'a', side: 'bottom' });
  expect(beside.areas[0]?.root).toEqual({
    way: 'column',
    parts: [
      { panels: ['a'], active: 'a' },
      { panels: ['b'], active: 'b' },
    ],
    shares: [0.5, 0.5],
  });
  const along = dockPanel(row('a', 'b', 'c'), 'c', { area: MAIN_AREA, side: 'top' });
  const [first] = placedStacks(along.areas[0] as never);
  expect(first).toMatchObject({ stack: { active: 'c' }, box: { x: 0, y: 0, width: 1 } });
});

test('keys alone reach any arrangement: out of a stack, into the next one, along an edge', () => {
  const stacked = pushPanel(row('a', 'b'), 'a', 'end');
  expect(stackOf(stacked, 'a')).toEqual({ panels: ['b', 'a'], active: 'a' });
  const above = pushPanel(stacked, 'a', 'top');
  expect(placedStacks(above.areas[0] as never).map(({ stack }) => stack.active)).toEqual([
    'a',
    'b',
  ]);
  // Nothing is on that side: the panel is docked along the edge.
  const edge = pushPanel(row('a', 'b'), 'a', 'bottom');
  expect(edge.areas[0]?.root).toMatchObject({ way: 'column', shares: [0.7, 0.3] });
});

test('the neighbour is the stack that shares most of the edge', () => {
  const layout = dockPanel(row('a', 'b', 'c'), 'c', { beside: 'b', side: 'bottom' });
  const area = layout.areas[0] as never;
  expect(neighbour(area, 'c', 'top')?.active).toBe('b');
  expect(neighbour(area, 'c', 'start')?.active).toBe('a');
  expect(neighbour(area, 'a', 'start')).toBeUndefined();
});

test('a boundary moves, and stops where a part would become too small', () => {
  const layout = row('a', 'b', 'c');
  const [sash] = sashesOf(layout.areas[0] as never);
  if (!sash) throw new Error('no boundary');
  const widths = (moved: Layout) =>
    placedStacks(moved.areas[0] as never).map(({ box: at }) => at.width);
  expect(widths(moveSash(layout, MAIN_AREA, sash, 0.5))[0]).toBeCloseTo(0.5);
  expect(widths(moveSash(layout, MAIN_AREA, sash, 9))[1]).toBeCloseTo(0.05);
  expect(widths(moveSash(layout, MAIN_AREA, sash, 0.1))[2]).toBeCloseTo(1 / 3);
});

test('a window takes a panel with it, ends without one, and gives its panels back', () => {
  const opened = windowPanel(row('a', 'b'), 'b');
  if (!opened) throw new Error('no window');
  expect(areaOf(opened.layout, 'b')?.id).toBe('w1');
  // Alone in it, it has one already.
  expect(windowPanel(opened.layout, 'b')).toBeUndefined();
  const moved = placeWindow(opened.layout, 'w1', { left: -900, top: 0, width: 700, height: 500 });
  expect(areaOf(moved, 'b')?.screen?.left).toBe(-900);
  expect(closePanel(moved, 'b').areas.map(({ id }) => id)).toEqual([MAIN_AREA]);
  const back = joinWindow(moved, 'w1');
  expect(areaOf(back, 'b')?.id).toBe(MAIN_AREA);
  expect(back.areas).toHaveLength(1);
});

test('no more windows and panels than the most', () => {
  let layout = row(...Array.from({ length: 10 }, (_, index) => `x${index}`));
  for (let index = 0; index < 10; index++) {
    layout = windowPanel(layout, `x${index}`)?.layout ?? layout;
  }
  expect(layout.areas).toHaveLength(MOST_WINDOWS + 1);
  let full = row('a');
  for (let index = 1; index < MOST_PANELS; index++) {
    full = addPanel(full, { kind: 'list' })?.layout ?? full;
  }
  expect(Object.keys(full.panels)).toHaveLength(MOST_PANELS);
  expect(addPanel(full, { kind: 'list' })).toBeUndefined();
});

test('linked panels show what their link shares, others their own', () => {
  let layout = changePanel(row('a', 'b', 'c'), 'a', { link: 2, period: '5min' });
  layout = changePanel(layout, 'b', { link: 2, code: 'OWN' });
  layout = changePanel(layout, 'c', { code: 'GOLD' });
  layout = changeShared(layout, 2, { code: 'BTC', period: '1day' });
  expect(shownBy(layout, 'a')).toEqual({ code: 'BTC', period: '5min' });
  expect(shownBy(layout, 'b').code).toBe('BTC');
  expect(shownBy(layout, 'c')).toEqual({ code: 'GOLD', period: undefined });
  const shared = { ...layout, shares: { crosshair: false, period: true } };
  expect(shownBy(shared, 'a').period).toBe('1day');
});

describe('undo', () => {
  const before = changePanel(row('a', 'b', 'c'), 'a', { code: 'EURUSD' });

  test('gives places and closed panels back, and leaves what panels show', () => {
    const after = changePanel(closePanel(dockPanel(before, 'a', { into: 'c' }), 'b'), 'a', {
      code: 'GBPUSD',
    });
    const back = arrangedAs(after, before);
    expect(arrangementOf(back)).toBe(arrangementOf(before));
    expect(back.panels['a']?.code).toBe('GBPUSD');
    expect(back.panels['b']).toEqual({ kind: 'chart' });
    keepsItsRules(back);
  });

  test('is not about instruments, tabs in front and places of windows', () => {
    const stacked = dockPanel(before, 'a', { into: 'c' });
    const moved = windowPanel(stacked, 'b');
    if (!moved) throw new Error('no window');
    const shown = arrangementOf(moved.layout);
    const place = { left: 1, top: 2, width: 300, height: 400 };
    expect(arrangementOf(placeWindow(moved.layout, moved.area, place))).toBe(shown);
    expect(arrangementOf(activatePanel(moved.layout, 'c'))).toBe(shown);
    expect(arrangementOf(changePanel(moved.layout, 'c', { code: 'X' }))).toBe(shown);
    expect(shown).not.toBe(arrangementOf(stacked));
  });
});
