import type { ReadonlySignal } from '@preact/signals-react';
import { type DependencyList, startTransition, useEffect, useState } from 'react';
import { useValue } from '../useValue';

/**
 * The worker's answer to `ask`, requested again when `deps` or `revision` change. The former answer
 * stays until the next one arrives; `initial` gives the first. An `ask` that returns undefined
 * requests nothing.
 */
export function useAnswer<T>(
  revision: ReadonlySignal<number>,
  ask: () => Promise<T> | undefined,
  deps: DependencyList,
  initial?: () => T | undefined,
): T | undefined {
  const current = useValue(revision);
  const [answer, setAnswer] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `deps` stand for `ask`, and a new revision requests again
  useEffect(() => {
    let outdated = false;
    void ask()?.then((next) => {
      if (outdated) return;
      // What the first answer brings is often a whole screen: React renders it in slices.
      if (answer === undefined) startTransition(() => setAnswer(next));
      else setAnswer(next);
    });
    return () => {
      outdated = true;
    };
  }, [...deps, current]);
  return answer;
}
