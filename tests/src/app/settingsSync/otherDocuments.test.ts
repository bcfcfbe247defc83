import { beforeEach, expect, it, vi } from 'vitest';
import type { SettingsFields } from '#domain/account/settingsFields';
import { OTHER_DOCUMENTS } from '../../../../src/app/settingsSync/otherDocuments';
import { addLayout, layout, layouts } from '../../../../src/app/workspace/store';
import { type AsyncWorkerApi, setWorkerApi } from '../../../../src/worker/workerApi';
import { eventually } from '../../../helpers/eventually';
import { ScriptedIndexedDb } from '../../../workers/support/scriptedIndexedDb';
import { onDesktop, onPhone } from '../../rendering';

const engine = new ScriptedIndexedDb();
const [ofLayouts, ofAlerts] = OTHER_DOCUMENTS;

beforeEach(() => {
  onDesktop();
  engine.stored = new Map();
  vi.stubGlobal('indexedDB', engine.factory);
  layouts.value = { current: 'one', own: [], layouts: {} };
});

const change = (make: (fields: SettingsFields) => SettingsFields | undefined) =>
  ofLayouts?.update({}, make);

it('layouts of another device are shown; which of them is shown stays', async () => {
  const id = addLayout('Mine', layout.peek());
  await eventually(() => expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}] }));
  const found = await change((fields) => ({
    ...fields,
    'own/own-x': JSON.stringify({ at: 2, name: 'Mine', layout: layout.peek() }),
    'own/own-y': JSON.stringify({ at: 3, name: 'Broken', layout: 7 }),
    'shipped/two': JSON.stringify(layout.peek()),
  }));
  // Two of one name can be told apart, and what can't be shown is no field of this device.
  expect(layouts.peek().own).toEqual([
    { id, name: 'Mine' },
    { id: 'own-x', name: 'Mine 2' },
  ]);
  expect(layouts.peek().current).toBe(id);
  expect(Object.keys(found?.after ?? {})).toEqual([`own/${id}`, 'own/own-x', 'shipped/two']);
  // Nothing is drawn anew where nothing has changed.
  const shown = layouts.peek();
  await change((fields) => fields);
  expect(layouts.peek()).toBe(shown);
});

it('a layout that was deleted elsewhere is shown no longer', async () => {
  addLayout('Mine', layout.peek());
  await eventually(() => expect(engine.stored?.get('workspace')).toMatchObject({ own: [{}] }));
  await change(() => ({}));
  expect(layouts.peek()).toMatchObject({ current: 'one', own: [] });
});

it('layouts of a newer version, and those of a device without a workspace, stay out of it', async () => {
  engine.stored?.set('workspace', { version: 2, kept: true });
  expect(await change(() => ({}))).toBeUndefined();
  expect(engine.stored?.get('workspace')).toEqual({ version: 2, kept: true });
  engine.stored = new Map();
  onPhone();
  expect(await change(() => ({}))).toBeUndefined();
});

it('alerts that a new session lacks were not deleted, and are set again', async () => {
  let rows = [{ Id: 1, Price: '1.1' }];
  const changes: unknown[] = [];
  const deviceAlerts = async (change?: { set: typeof rows; del: number[] }) => {
    if (!change) return { rows, isNew: changes.length === 0 };
    changes.push(change);
    rows = [...rows.filter(({ Id }) => !change.del.includes(Id)), ...change.set];
    return { rows, isNew: true };
  };
  setWorkerApi({ deviceAlerts } as unknown as AsyncWorkerApi);
  const former = { 'alert/2': '{"Price":"1.2"}' };
  const both = { ...former, 'alert/1': '{"Price":"1.1"}' };
  const found = await ofAlerts?.update(former, (fields) => fields);
  expect(found?.before).toEqual(both);
  expect(changes).toEqual([{ set: [{ Id: 2, Price: '1.2' }], del: [] }]);
  expect(found?.after).toEqual(both);
  expect((await ofAlerts?.update(both, () => former))?.after).toEqual(former);
  expect(changes[1]).toEqual({ set: [], del: [1] });
});
