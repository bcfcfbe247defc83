import { listRevision } from './frameReceiver';
import { useAnswer } from './useAnswer';
import { workerApi } from './workerApi';

/** Whether a list is loaded, and has no instrument of this code. */
export function useLacking(code: string | undefined): boolean {
  const lacking = useAnswer(listRevision, async () => {
    if (code === undefined || !(await workerApi.row(undefined))) return undefined;
    return (await workerApi.row(code)) ? undefined : code;
  }, [code]);
  return code !== undefined && lacking === code;
}
