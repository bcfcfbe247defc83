import { get, set } from 'idb-keyval';
import type { DeviceResults } from '#domain/workload/deviceRun';
import { oneTransaction } from '../../preferences/database';

/** Version of the stored format; other versions are ignored. */
const VERSION = 3;

/** A separate database from the worker's. */
const store = oneTransaction('fulcrum-bench', 'runs');

/** The results of the last test on this device; undefined where there are none or no storage. */
export async function loadSavedRun(): Promise<DeviceResults | undefined> {
  try {
    const saved = await get<{ version: number; results: DeviceResults }>('kept', store);
    return saved?.version === VERSION ? saved.results : undefined;
  } catch {
    return undefined;
  }
}

export async function saveRun(results: DeviceResults): Promise<void> {
  try {
    await set('kept', { version: VERSION, results }, store);
  } catch {
    // Without storage the results are lost when the screen is left.
  }
}
