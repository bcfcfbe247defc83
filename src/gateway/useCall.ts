import { useRef, useState } from 'react';
import type { Result } from '#domain/core/result';
import { useValue } from '../signals';
import { newKey } from './key';
import { checking } from './trading';

export interface Call {
  /** The answer is out: what sent it is locked. */
  busy: boolean;
  /** The answer got lost and is being found out. */
  lost: boolean;
  /** Sends with the key of this tap; undefined where one is still out. The worker tells the user of a failure. */
  run<T>(call: (key: string) => Promise<Result<T>>): Promise<Result<T> | undefined>;
}

/** A changing call of one button (protocol.md#idempotency). */
export function useCall(): Call {
  const [key, setKey] = useState<string>();
  const out = useRef(false);
  const lost = useValue(checking).includes(key ?? '');
  return {
    busy: key !== undefined,
    lost,
    async run(call) {
      if (out.current) return undefined;
      out.current = true;
      const made = newKey();
      setKey(made);
      try {
        return await call(made);
      } finally {
        out.current = false;
        setKey(undefined);
      }
    },
  };
}
