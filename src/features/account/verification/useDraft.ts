import { useEffect, useRef } from 'react';
import type { VerificationDraft } from '#domain/worker/account';
import { workerApi } from '../../../worker/workerApi';

/** Save this long after the last key, ms. Photos are saved immediately. */
const REST = 250;

/** Saves a half-filled form, so that a reload does not lose it. */
export function useDraft({
  name,
  cardId,
  front,
  reverse,
}: {
  [K in keyof Required<VerificationDraft>]: VerificationDraft[K] | undefined;
}): void {
  const pristine = useRef(true);
  const photos = useRef({ front, reverse });
  useEffect(() => {
    // The loaded draft is saved already.
    if (pristine.current) {
      pristine.current = false;
      return;
    }
    const typed = photos.current.front === front && photos.current.reverse === reverse;
    photos.current = { front, reverse };
    const save = () => {
      const draft: VerificationDraft = {
        name: name ?? '',
        cardId: cardId ?? '',
        ...(front && { front }),
        ...(reverse && { reverse }),
      };
      void workerApi.saveVerificationDraft(draft);
    };
    if (!typed) return save();
    const timer = setTimeout(save, REST);
    return () => clearTimeout(timer);
  }, [name, cardId, front, reverse]);
}
