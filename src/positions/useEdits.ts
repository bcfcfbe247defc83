import { isEqual } from '#domain/core/isEqual';
import { pick } from '#domain/core/pick';
import { useNumberTexts } from '../i18n/numberTexts';

interface Edits<T> {
  values: Partial<T>;
  /** What the order had when the user began to edit each of them. */
  before: Partial<T>;
  /** What it has now, as the user was told. */
  told: Partial<T>;
}

export interface EditedTerms<T> {
  terms: T;
  change(values: Partial<T>): void;
  /** Whether something is edited to be other than it is. */
  changed: boolean;
  /** A term that the user edits and that was changed by other means meanwhile. */
  overtaken: keyof T | undefined;
  /** Whether the user has been told of that. The first call is false and tells. */
  tell(): boolean;
}

/**
 * The terms of an order as they are edited: those that the user has not touched follow the order, so that a change that comes
 * meanwhile, by another device, is neither undone nor overwritten unseen. `numbers`: the names of their fields with typed numbers.
 */
export function useEdits<T extends object>(
  now: T,
  numbers: readonly string[],
  given: Partial<T> = {},
): EditedTerms<T> {
  const [edits, setEdits] = useNumberTexts(
    numbers,
    (): Edits<T> => ({ values: given, before: now, told: {} }),
  );
  const { values, before, told } = edits;
  const edited = Object.keys(values) as (keyof T)[];
  const overtaken = edited.filter(
    (term) => !isEqual(now[term], before[term]) && !isEqual(now[term], values[term]),
  );
  return {
    terms: { ...now, ...values },
    change: (changed) =>
      setEdits((former) => ({
        ...former,
        values: { ...former.values, ...changed },
        // What is edited for the first time is edited as it is now.
        before: { ...now, ...pick(former.before, Object.keys(former.values) as (keyof T)[]) },
      })),
    changed: edited.some((term) => !isEqual(now[term], values[term])),
    overtaken: overtaken[0],
    tell() {
      if (overtaken.every((term) => isEqual(now[term], told[term]))) return true;
      setEdits((former) => ({ ...former, told: now }));
      return false;
    },
  };
}
