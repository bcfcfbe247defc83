import { useEffect, useMemo, useRef, useState } from 'react';
import type { DraftPhoto, Picture } from '#domain/gateway/account';
import { gateway } from '../gateway/client';
import { newKey } from '../gateway/key';
import { uploads } from '../gateway/pump';
import { useValue } from '../signals';
import { preparePicture } from './preparePicture';

type Step = 'empty' | 'preparing' | 'unreadable' | 'sending' | 'failed' | 'done';

interface State {
  step: Step;
  picture?: Picture;
  /** What the server calls it; empty until it has it. */
  url: string;
}

/** A picture of the user's on its way to the server. */
export interface PictureUpload {
  step: Step;
  /** Where it can be seen; empty where there is none. */
  preview: string;
  url: string;
  /** Of what is being sent, 0 to 1. */
  progress: number;
  /** What a reload must not lose. */
  kept: DraftPhoto | undefined;
  take(file: Blob): void;
  /** Sends it again after a failure. */
  retry(): void;
  remove(): void;
}

/** `start`: what is there already; a picture that was never sent is sent now. */
export function usePicture(start?: { url: string; picture?: Picture }): PictureUpload {
  const [id] = useState(newKey);
  const [state, setState] = useState<State>(() =>
    start ? { ...start, step: start.url ? 'done' : 'failed' } : { step: 'empty', url: '' },
  );
  /** A later picture outruns an earlier one. */
  const turn = useRef(0);
  const progress = useValue(uploads)[id] ?? 0;

  const send = async (picture: Picture, mine: number) => {
    setState({ step: 'sending', picture, url: '' });
    const result = await gateway.uploadPicture(picture, id);
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is opened again
  useEffect(() => {
    if (state.step === 'failed') retry();
    return () => {
      turn.current++;
      void gateway.cancelUpload(id);
    };
  }, []);

  const { picture, url } = state;
  const kept = useMemo(() => picture && { picture, url }, [picture, url]);

  return {
    step: state.step,
    preview: usePreview(state),
    url,
    progress,
    kept,
    take: (file) => void take(file),
    retry,
    remove() {
      turn.current++;
      void gateway.cancelUpload(id);
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
