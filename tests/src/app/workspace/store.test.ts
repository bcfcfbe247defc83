import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeShared, closePanel, MAIN_GROUP } from '#domain/workspace/layout';
import { type Layouts, writeLayouts } from '#domain/workspace/layouts';
import {
  addLayout,
  edit,
  followLayout,
  followOtherTabs,
  layout,
  layouts,
  loadLayouts,
  replaceLayouts,
} from '../../../../src/app/workspace/store';
import { layoutsUnsaved } from '../../../../src/worker/unsaved';
import { eventually } from '../../../helpers/eventually';
import { ScriptedIndexedDb } from '../../../workers/support/scriptedIndexedDb';

const engine = new ScriptedIndexedDb();

it('a layout is kept, and no connection that could be lost or locked', async () => {
  vi.stubGlobal('indexedDB', engine.factory);
  await loadLayouts();
  expect(engine.connections).toBe(0);
  addLayout('Mine', layout.peek());
  await eventually(() => expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}] }));
  expect(engine.connections).toBe(0);
  layouts.value = { current: 'one', own: [], layouts: {} };
  await loadLayouts();
  expect(layouts.peek().own.map(({ name }) => name)).toEqual(['Mine']);
});

it('says so where a layout is not stored, and stores it with the next change', async () => {
  vi.stubGlobal('indexedDB', engine.factory);
  engine.refusal = new DOMException('', 'QuotaExceededError');
  addLayout('Lost', layout.peek());
  await eventually(() => expect(layoutsUnsaved.value).toBe(true));
  engine.refusal = undefined;
  addLayout('Stored', layout.peek());
  await eventually(() => expect(layoutsUnsaved.value).toBe(false));
  expect(engine.stored?.get('workspace')).toMatchObject({
    own: [{ name: 'Mine' }, { name: 'Lost' }, { name: 'Stored' }],
  });
});

it.each([
  ['with them, where it is', ['Lost', 'Given']],
  ['although it is not', ['Lost']],
])('changes that are not stored are stored when all is replaced, %s', async (_, expected) => {
  vi.stubGlobal('indexedDB', engine.factory);
  engine.stored = new Map();
  layouts.value = { current: 'one', own: [], layouts: {} };
  engine.refusal = new DOMException('', 'QuotaExceededError');
  addLayout('Lost', layout.peek());
  await eventually(() => expect(layoutsUnsaved.value).toBe(true));
  engine.refusal = undefined;
  const [, given] = expected;
  const replaced = await replaceLayouts((saved) => {
    if (given === undefined) return undefined;
    const id = 'own-given';
    return {
      ...saved,
      own: [...saved.own, { id, name: given }],
      layouts: { ...saved.layouts, [id]: layout.peek() },
    };
  });
  const names = (all?: Layouts) => all?.own.map(({ name }) => name);
  expect(names(replaced?.before)).toEqual(['Lost']);
  expect(names(engine.stored.get('workspace') as Layouts)).toEqual(expected);
  expect(names(layouts.peek())).toEqual(expected);
  expect(layoutsUnsaved.value).toBe(false);
  await replaceLayouts(({ current }) => ({ current, own: [], layouts: {} }));
  edit((now) => changeShared(now, MAIN_GROUP, { code: 'EUR' }));
  await eventually(() =>
    expect(engine.stored?.get('workspace')).toMatchObject({ layouts: { one: {} } }),
  );
  expect(names(engine.stored.get('workspace') as Layouts)).toEqual([]);
});

describe('what another tab saves', () => {
  const FIRST: Layouts = { current: 'one', own: [], layouts: {} };

  beforeAll(followOtherTabs);

  beforeEach(async () => {
    vi.stubGlobal('indexedDB', engine.factory);
    engine.stored = new Map();
    layouts.value = FIRST;
    await loadLayouts();
    edit((now) => changeShared(now, MAIN_GROUP, { code: 'EUR' }));
    await eventually(() => expect(panels()).toContain('news'));
  });

  const panels = () => {
    const saved = engine.stored?.get('workspace') as Layouts | undefined;
    return Object.keys(saved?.layouts.one?.panels ?? {});
  };
  let saves = 0;
  function saveElsewhere(others: Layouts['layouts']): void {
    engine.stored?.set('workspace', writeLayouts({ ...FIRST, current: 'two', layouts: others }));
    saves += 1;
    const newValue = JSON.stringify(`elsewhere ${saves}`);
    dispatchEvent(new StorageEvent('storage', { key: 'fulcrum.layouts-saved', newValue }));
  }

  it('is shown and stays after an edit; the tab keeps its layout and its instrument', async () => {
    const closed = closePanel(layout.peek(), 'news');
    saveElsewhere({ one: changeShared(closed, MAIN_GROUP, { code: 'XAU' }) });
    await eventually(() => expect(Object.keys(layout.peek().panels)).not.toContain('news'));
    expect(layouts.peek().current).toBe('one');
    expect(layout.peek().links[MAIN_GROUP]).toEqual({ code: 'EUR' });
    edit((now) => closePanel(now, 'alerts'));
    await eventually(() => expect(panels()).not.toContain('alerts'));
    expect(panels()).not.toContain('news');
  });

  it('during an edit is shown once that is saved', async () => {
    saveElsewhere({ two: closePanel(layout.peek(), 'news') });
    edit((now) => closePanel(now, 'alerts'));
    await eventually(() => expect(layouts.peek().layouts.two?.panels).toBeDefined());
    expect(layouts.peek().layouts.two?.panels).not.toHaveProperty('news');
    expect(layout.peek().panels).not.toHaveProperty('alerts');
    expect(panels()).not.toContain('alerts');
  });

  it('takes the place of no edit that is not stored yet', async () => {
    engine.refusal = new DOMException('', 'QuotaExceededError');
    edit((now) => closePanel(now, 'alerts'));
    await eventually(() => expect(layoutsUnsaved.value).toBe(true));
    engine.refusal = undefined;
    const { opened } = engine;
    saveElsewhere({ two: closePanel(layout.peek(), 'news') });
    await eventually(() => {
      expect(engine.opened).toBeGreaterThan(opened);
      expect(engine.connections).toBe(0);
    });
    edit((now) => closePanel(now, 'news'));
    await eventually(() => expect(layouts.peek().layouts.two?.panels).toBeDefined());
    expect(panels()).toContain('orders');
    for (const closed of ['alerts', 'news']) expect(panels()).not.toContain(closed);
  });
});

describe('from a database that answers after more than three seconds', () => {
  beforeEach(async () => {
    vi.stubGlobal('indexedDB', engine.factory);
    engine.stored = new Map();
    layouts.value = { current: 'one', own: [], layouts: {} };
    addLayout('Mine', layout.peek());
    await eventually(() => expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}] }));
    layouts.value = { current: 'one', own: [], layouts: {} };
    engine.isSilent = true;
    vi.useFakeTimers();
    const loaded = vi.fn();
    void loadLayouts().then(loaded);
    await vi.advanceTimersByTimeAsync(3000);
    expect(loaded).toHaveBeenCalled();
    vi.useRealTimers();
  });

  const names = () => layouts.peek().own.map(({ name }) => name);

  it('layouts come late', async () => {
    engine.answer();
    await eventually(() => expect(names()).toEqual(['Mine']));
    expect(layouts.peek().current).toMatch(/^own-/);
  });

  it('a window follows its main page all the same', async () => {
    followLayout('one');
    engine.answer();
    await eventually(() => expect(names()).toEqual(['Mine']));
    expect(layouts.peek().current).toBe('one');
  });

  it('what the user has done meanwhile stays, and what is kept too', async () => {
    addLayout('Newer', layout.peek());
    engine.answer();
    await eventually(() =>
      expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}, {}] }),
    );
    expect(names()).toEqual(['Newer']);
  });
});
