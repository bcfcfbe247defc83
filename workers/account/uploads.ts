import { type Result, success } from '#domain/core/result';
import type { Picture } from '#domain/gateway/account';
import { uploadPicture } from '../http/account';
import type { Http } from '../http/client';

/** Report progress in this many steps: each takes a frame. */
const STEPS = 50;

/** Called with the sent share of each running upload, 0 to 1. */
export type UploadsChanged = (uploads: Readonly<Record<string, number>>) => void;

/** Uploads of pictures, by the id that the page gave each. */
export function createUploads(http: Http, changed: UploadsChanged) {
  const inFlight = new Map<string, { abort: AbortController; share: number }>();

  function mark(): void {
    changed(Object.fromEntries([...inFlight].map(([id, { share }]) => [id, share])));
  }

  function cancel(id: string): void {
    inFlight.get(id)?.abort.abort();
  }

  return {
    async upload(picture: Picture, id: string): Promise<Result<string>> {
      cancel(id);
      const mine = { abort: new AbortController(), share: 0 };
      inFlight.set(id, mine);
      mark();
      const result = await uploadPicture(http, picture, {
        signal: mine.abort.signal,
        progress(share) {
          const step = Math.floor(share * STEPS) / STEPS;
          if (step === mine.share) return;
          mine.share = step;
          mark();
        },
      });
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
