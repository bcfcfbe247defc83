import { useRef, useState } from 'react';
import type { Result } from '#domain/core/result';
import { useValue } from '../useValue';
import { connectionLive } from './frameReceiver';
import { newKey } from './key';
import { useAnswerLost } from './useAnswerLost';

export interface Call {
  /**
   * The connection is proven: something can be changed. Otherwise it would be sent later than the user
   * thinks.
   */
  ready: boolean;
  /** Waiting for the answer: the button is locked. */
  busy: boolean;
  /** The answer was lost; the worker is finding out the outcome. */
  lost: boolean;
  /**
   * Sends `call` with a new idempotency key, and another one for a call that continues it.
   * Undefined while another one is in progress, or the connection is not proven. The worker reports a
   * failure to the user.
   */
  run<T>(
    call: (key: string, continuedBy: string) => Promise<Result<T>>,
  ): Promise<Result<T> | undefined>;
}

const NONE: readonly string[] = [];

/** The state of a button's changing call (protocol.md#idempotency). `local`: it needs no connection. */
export function useCall(local = false): Call {
  const [keys, setKeys] = useState<readonly [string, string]>();
  const out = useRef(false);
  const lost = useAnswerLost(keys ?? NONE);
  const ready = useValue(connectionLive) || local;
  return {
    ready,
    busy: keys !== undefined,
    lost,
    async run(call) {
      if (out.current || !(local || connectionLive.peek())) return undefined;
      out.current = true;
      const made = [newKey(), newKey()] as const;
      setKeys(made);
      try {
        return await call(...made);
      } finally {
        out.current = false;
        setKeys(undefined);
      }
    },
  };
}
