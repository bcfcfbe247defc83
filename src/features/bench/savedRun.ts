import { createStore, get, set } from 'idb-keyval';
import type { Run } from './run';

/** Of what is kept; another one is not read. */
const VERSION = 2;

/** A database of its own: the worker's is not touched. */
const store = () => createStore('fulcrum-bench', 'runs');

/** The run that others are compared with; undefined where there is none, or no storage. */
export async function loadSavedRun(): Promise<Run | undefined> {
  try {
    const kept = await get<{ version: number; run: Run }>('kept', store());
    return kept?.version === VERSION ? kept.run : undefined;
  } catch {
    return undefined;
  }
}

export async function saveRun(run: Run): Promise<void> {
  try {
    await set('kept', { version: VERSION, run }, store());
  } catch {
    // Without storage it lasts as long as the screen.
  }
}
