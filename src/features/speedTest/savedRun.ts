import { get, set } from 'idb-keyval';
import { oneTransaction } from '../../preferences/database';
import type { Run } from './run';

/** Version of the stored format; other versions are ignored. */
const VERSION = 2;

/** A separate database from the worker's. */
const store = oneTransaction('fulcrum-bench', 'runs');

/** The saved run for comparison; undefined where there is none or no storage. */
export async function loadSavedRun(): Promise<Run | undefined> {
  try {
    const saved = await get<{ version: number; run: Run }>('kept', store);
    return saved?.version === VERSION ? saved.run : undefined;
  } catch {
    return undefined;
  }
}

export async function saveRun(run: Run): Promise<void> {
  try {
    await set('kept', { version: VERSION, run }, store);
  } catch {
    // Without storage the run is lost when the screen is left.
  }
}
