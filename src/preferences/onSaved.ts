import { SAVED } from './storedNames';

/** Calls `changed` whenever this page or another tab has saved something, until the returned function is called. */
export function onSaved(changed: () => void): () => void {
  addEventListener('storage', changed);
  addEventListener(SAVED, changed);
  return () => {
    removeEventListener('storage', changed);
    removeEventListener(SAVED, changed);
  };
}
