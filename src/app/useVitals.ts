import { useEffect } from 'react';
import { pageSetting } from '../pageSetting';

/** Measures this visit where the operator wants it and chance picks it (protocol.md#vitals). */
export function useVitals(): void {
  useEffect(() => {
    if (Math.random() >= Number(pageSetting('vitals-share'))) return;
    // Where it can't be loaded, this visit is not among them.
    import('./vitals').then(({ measureVisit }) => measureVisit()).catch(() => {});
  }, []);
}
