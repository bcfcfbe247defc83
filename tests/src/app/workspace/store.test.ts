import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addLayout,
  followLayout,
  layout,
  layouts,
  loadLayouts,
} from '../../../../src/app/workspace/store';
import { layoutsUnsaved } from '../../../../src/worker/unsaved';
import { ScriptedIndexedDb } from '../../../workers/support/scriptedIndexedDb';

const engine = new ScriptedIndexedDb();

it('a layout is kept, and no connection that could be lost or locked', async () => {
  vi.stubGlobal('indexedDB', engine.factory);
  await loadLayouts();
  expect(engine.connections).toBe(0);
  addLayout('Mine', layout.peek());
  await vi.waitFor(() => expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}] }));
  expect(engine.connections).toBe(0);
  layouts.value = { current: 'one', own: [], layouts: {} };
  await loadLayouts();
  expect(layouts.peek().own.map(({ name }) => name)).toEqual(['Mine']);
});

it('says so where a layout is not stored', async () => {
  vi.stubGlobal('indexedDB', engine.factory);
  engine.refusal = new DOMException('', 'QuotaExceededError');
  addLayout('Lost', layout.peek());
  await vi.waitFor(() => expect(layoutsUnsaved.value).toBe(true));
  engine.refusal = undefined;
  addLayout('Stored', layout.peek());
  await vi.waitFor(() => expect(layoutsUnsaved.value).toBe(false));
});

describe('from a database that answers after more than three seconds', () => {
  beforeEach(async () => {
    vi.stubGlobal('indexedDB', engine.factory);
    engine.stored = new Map();
    layouts.value = { current: 'one', own: [], layouts: {} };
    addLayout('Mine', layout.peek());
    await vi.waitFor(() => expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}] }));
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
    await vi.waitFor(() => expect(names()).toEqual(['Mine']));
    expect(layouts.peek().current).toMatch(/^own-/);
  });

  it('a window follows its main page all the same', async () => {
    followLayout('one');
    engine.answer();
    await vi.waitFor(() => expect(names()).toEqual(['Mine']));
    expect(layouts.peek().current).toBe('one');
  });

  it('what the user has done meanwhile stays, and what is kept too', async () => {
    addLayout('Newer', layout.peek());
    engine.answer();
    await vi.waitFor(() =>
      expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}, {}] }),
    );
    expect(names()).toEqual(['Newer']);
  });
});
