import { useValue } from '../useValue';
import { unanswered } from './requests';

/** Whether the answer to a call with one of these keys was lost. */
export function useAnswerLost(keys: readonly (string | undefined)[]): boolean {
  return useValue(unanswered).some((request) => keys.includes(request.key));
}
