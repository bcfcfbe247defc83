import { expect, it, vi } from 'vitest';
import { addLayout, layout, layouts, loadLayouts } from '../../../../src/app/workspace/store';
import { ScriptedIndexedDb } from '../../../workers/support/scriptedIndexedDb';

const engine = new ScriptedIndexedDb();

it('a layout is kept although the connection to the database was closed without an event', async () => {
  vi.stubGlobal('indexedDB', engine.factory);
  await loadLayouts();
  engine.loseConnections();
  addLayout('Mine', layout.peek());
  await vi.waitFor(() => expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}] }));
  engine.loseConnections();
  layouts.value = { current: 'one', own: [], layouts: {} };
  await loadLayouts();
  expect(layouts.peek().own.map(({ name }) => name)).toEqual(['Mine']);
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
