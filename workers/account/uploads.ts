import { type Result, success } from '#domain/core/result';
import type { Picture } from '#domain/gateway/account';
import { uploadPicture } from '../http/account';
import type { Http } from '../http/client';

/** Steps in which progress is told: a frame for each is enough for the eye. */
const STEPS = 50;

/** Tells the share of each upload under way that was sent, 0 to 1. */
export type UploadsChanged = (uploads: Readonly<Record<string, number>>) => void;

/** Pictures on their way, each by the id that the page gave it. */
export function createUploads(http: Http, changed: UploadsChanged) {
  const underWay = new Map<string, { abort: AbortController; share: number }>();

  function mark(): void {
    changed(Object.fromEntries([...underWay].map(([id, { share }]) => [id, share])));
  }

  function cancel(id: string): void {
    underWay.get(id)?.abort.abort();
  }

  return {
    async upload(picture: Picture, id: string): Promise<Result<string>> {
      cancel(id);
      const mine = { abort: new AbortController(), share: 0 };
      underWay.set(id, mine);
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
      // Another one may have taken its place.
      if (underWay.get(id) === mine) underWay.delete(id);
      mark();
      return result.ok ? success(result.data.data) : result;
    },
    cancel,
    cancelAll() {
      for (const id of underWay.keys()) cancel(id);
    },
  };
}
