import { useValue } from '../signals';
import { unanswered } from './requests';

/** Whether the answer to the call with this key was lost. */
export function useAnswerLost(key: string | undefined): boolean {
  return useValue(unanswered).some((request) => request.key === key);
}
