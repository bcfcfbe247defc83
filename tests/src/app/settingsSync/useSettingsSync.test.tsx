import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#domain/account/user';
import { failed, success } from '#domain/core/result';
import { useSettingsSync } from '../../../../src/app/useSettingsSync';
import { settingsSync } from '../../../../src/preferences/settingsSync';
import { user } from '../../../../src/worker/trading';
import { eventually } from '../../../helpers/eventually';
import { ScriptedIndexedDb } from '../../../workers/support/scriptedIndexedDb';
import { scriptWorkerApi, settingsWith } from '../../scriptedWorkerApi';

beforeEach(() => {
  const engine = new ScriptedIndexedDb();
  engine.stored = new Map();
  vi.stubGlobal('indexedDB', engine.factory);
  vi.useFakeTimers();
  user.value = { id: 7, demo: false } as User;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  user.value = undefined;
  settingsSync.value = { waiting: false, problem: '', offers: [] };
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('asks again, and says that it waits, where what the server has could not be read', async () => {
  const worker = scriptWorkerApi();
  const read = vi.fn(() => new Promise<never>(() => {}));
  worker.answers['settings.settingsChanges'] = read;
  worker.scripted.accountSettings = async () => failed({ kind: 'transport', code: '500' });
  const { unmount } = renderHook(() => useSettingsSync());
  await pass(5000);
  expect(worker.count('accountSettings')).toBe(1);
  expect(settingsSync.value.waiting).toBe(true);
  worker.scripted.accountSettings = async () => success(settingsWith(['settings']));
  await pass(35_000);
  expect(worker.count('accountSettings')).toBe(2);
  await eventually(() => expect(read).toHaveBeenCalled());
  unmount();
});

it('asks a server that lacks them once', async () => {
  const worker = scriptWorkerApi();
  worker.scripted.accountSettings = async () => success(settingsWith([]));
  const { unmount } = renderHook(() => useSettingsSync());
  await pass(100_000);
  expect(worker.count('accountSettings')).toBe(1);
  expect(settingsSync.value.waiting).toBe(false);
  unmount();
});

it('asks no more once the connection is gone', async () => {
  const worker = scriptWorkerApi();
  worker.scripted.accountSettings = async () => failed({ kind: 'transport', code: '500' });
  const { unmount } = renderHook(() => useSettingsSync());
  await pass(5000);
  await act(async () =>
    worker.frame({ connection: { state: 'offline', marketOffset: undefined } }),
  );
  await pass(100_000);
  expect(worker.count('accountSettings')).toBe(1);
  unmount();
});
