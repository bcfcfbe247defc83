import xhr from 'axios/unsafe/adapters/xhr.js';
import { type Result, success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import type { Picture } from '#domain/worker/account';
import type { Api } from '../http/api';

/** Enough for a few hundred kilobytes over a slow connection. */
const TIMEOUT_MS = toDurationMs(180_000);
/** Report progress in this many steps: each takes a frame. */
const STEPS = 50;

/** Called with the sent share of each running upload, 0 to 1. */
export type UploadsChanged = (uploads: Readonly<Record<string, number>>) => void;

/** Uploads of pictures, by the id that the page gave each. */
export function createUploads(api: Api, changed: UploadsChanged) {
  const inFlight = new Map<string, { abort: AbortController; share: number }>();

  function mark(): void {
    changed(Object.fromEntries([...inFlight].map(([id, { share }]) => [id, share])));
  }

  function cancel(id: string): void {
    inFlight.get(id)?.abort.abort();
  }

  return {
    async upload({ bytes, type }: Picture, id: string): Promise<Result<string>> {
      cancel(id);
      const mine = { abort: new AbortController(), share: 0 };
      inFlight.set(id, mine);
      mark();
      const file = new Blob([bytes], { type });
      const result = await api(
        'account.uploadPicture',
        { file },
        {
          timeoutMs: TIMEOUT_MS,
          // fetch reports no upload progress.
          ...(xhr && { adapter: xhr }),
          signal: mine.abort.signal,
          progress(share) {
            const step = Math.floor(share * STEPS) / STEPS;
            if (step === mine.share) return;
            mine.share = step;
            mark();
          },
        },
      );
      // Another upload with this id may have replaced it.
      if (inFlight.get(id) === mine) inFlight.delete(id);
      mark();
      return result.ok ? success(result.data.data) : result;
    },
    cancel,
    cancelAll() {
      for (const id of inFlight.keys()) cancel(id);
    },
  };
}
