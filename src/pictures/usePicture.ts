import { useEffect, useMemo, useRef, useState } from 'react';
import type { DraftPhoto, Picture } from '#domain/worker/account';
import { useValue } from '../useValue';
import { uploads } from '../worker/frameReceiver';
import { newKey } from '../worker/key';
import { workerApi } from '../worker/workerApi';
import { preparePicture } from './preparePicture';

type Step = 'empty' | 'preparing' | 'unreadable' | 'sending' | 'failed' | 'done';

interface State {
  step: Step;
  picture?: Picture;
  /** The server's URL of the picture; empty until it is uploaded. */
  url: string;
}

/** A picture of the user and its upload. */
export interface PictureUpload {
  step: Step;
  /** URL of a preview; empty where there is none. */
  preview: string;
  url: string;
  /** Share that is uploaded, 0 to 1. */
  progress: number;
  /** What to save so that a reload does not lose the picture. */
  draft: DraftPhoto | undefined;
  take(file: Blob): void;
  /** Uploads it again after a failure. */
  retry(): void;
  remove(): void;
}

/** `start` is a picture that exists already; if it was never uploaded, the upload starts now. */
export function usePicture(start?: { url: string; picture?: Picture }): PictureUpload {
  const [id] = useState(newKey);
  const [state, setState] = useState<State>(() =>
    start ? { ...start, step: start.url ? 'done' : 'failed' } : { step: 'empty', url: '' },
  );
  /** Number of the latest action; results of earlier ones are ignored. */
  const turn = useRef(0);
  const progress = useValue(uploads)[id] ?? 0;

  const send = async (picture: Picture, mine: number) => {
    setState({ step: 'sending', picture, url: '' });
    const result = await workerApi.uploadPicture(picture, id);
    if (mine !== turn.current) return;
    setState({ step: result.ok ? 'done' : 'failed', picture, url: result.ok ? result.data : '' });
  };

  const take = async (file: Blob) => {
    const mine = ++turn.current;
    setState({ step: 'preparing', url: '' });
    try {
      const picture = await preparePicture(file);
      if (mine === turn.current) await send(picture, mine);
    } catch {
      if (mine === turn.current) setState({ step: 'unreadable', url: '' });
    }
  };

  const retry = () => {
    if (state.picture) void send(state.picture, ++turn.current);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form opens again
  useEffect(() => {
    if (state.step === 'failed') retry();
    return () => {
      turn.current++;
      void workerApi.cancelUpload(id);
    };
  }, []);

  const { picture, url } = state;
  const draft = useMemo(() => picture && { picture, url }, [picture, url]);

  return {
    step: state.step,
    preview: usePreview(state),
    url,
    progress,
    draft,
    take: (file) => void take(file),
    retry,
    remove() {
      turn.current++;
      void workerApi.cancelUpload(id);
      setState({ step: 'empty', url: '' });
    },
  };
}

function usePreview({ picture, url }: State): string {
  const [made, setMade] = useState('');
  useEffect(() => {
    if (!picture) return;
    const address = URL.createObjectURL(new Blob([picture.bytes], { type: picture.type }));
    setMade(address);
    return () => {
      setMade('');
      URL.revokeObjectURL(address);
    };
  }, [picture]);
  return picture ? made : url;
}
