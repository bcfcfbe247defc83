import { expect, it, vi } from 'vitest';
import { addLayout, layout, layouts, loadLayouts } from '../../../../src/app/workspace/store';
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

it('a database that never answers delays the layouts by three seconds', async () => {
  engine.isSilent = true;
  vi.stubGlobal('indexedDB', engine.factory);
  vi.useFakeTimers();
  const loaded = vi.fn();
  void loadLayouts().then(loaded);
  await vi.advanceTimersByTimeAsync(3000);
  expect(loaded).toHaveBeenCalled();
  vi.useRealTimers();
});
