import { Missing, Skipped } from './expectations';
import type { Target } from './target';

/** One thing that docs/protocol.md demands of a server. */
export interface Check {
  /** Heading of docs/protocol.md, as its link names it. */
  section: string;
  /** What a conforming server does. */
  name: string;
  /** The check is left out where the server does not list this feature. */
  feature?: string;
  /** Throws where the server does otherwise. */
  run(target: Target): Promise<void>;
}

/** - `missing`: an optional part, or a path that answers 404.
 *  - `skipped`: it could not be tried here, for the reason that is given. */
export type Verdict = 'right' | 'wrong' | 'missing' | 'skipped';

export interface Result {
  section: string;
  name: string;
  verdict: Verdict;
  reason: string;
}

/** Makes the checks one after another, and tells of each as it ends. */
export async function runChecks(
  checks: readonly Check[],
  target: Target,
  tell: (result: Result) => void = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    const result = {
      section: check.section,
      name: check.name,
      ...(await verdictOf(check, target)),
    };
    results.push(result);
    tell(result);
  }
  return results;
}

async function verdictOf(
  { feature, run }: Check,
  target: Target,
): Promise<{ verdict: Verdict; reason: string }> {
  try {
    if (feature !== undefined && !(await target.features()).includes(feature)) {
      throw new Missing(`the server does not list ${feature}`);
    }
    await run(target);
    return { verdict: 'right', reason: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Missing) return { verdict: 'missing', reason };
    if (error instanceof Skipped) return { verdict: 'skipped', reason };
    return { verdict: 'wrong', reason };
  }
}
