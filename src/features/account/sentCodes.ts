import { useEffect, useState } from 'react';
import type { CodeRequest } from '#domain/account/settings';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import { aNumber, aText, stored } from '../../session/stored';
import { useValue } from '../../signals';

/** The last requested code of one purpose. */
interface SentCode {
  to: string;
  /** From this time on another code may be requested. */
  until: UnixMs;
}

/** Kept when the screen is left, over reloads and in other tabs (D62). */
const sentCodes = {
  register: stored<SentCode | undefined>('code-register', undefined, readSent),
  reset: stored<SentCode | undefined>('code-reset', undefined, readSent),
} satisfies Record<CodeRequest['purpose'], unknown>;

function readSent(value: unknown): SentCode | undefined {
  const { to, until } = (value ?? {}) as Record<string, unknown>;
  const address = aText(to);
  const time = aNumber(until);
  return address && time && time > Date.now() ? { to: address, until: toUnixMs(time) } : undefined;
}

export function codeSent(purpose: CodeRequest['purpose'], to: string, retryAfter: number): void {
  sentCodes[purpose].value = { to, until: toUnixMs(Date.now() + retryAfter * 1000) };
}

/** The address of the last code, while no other code may be requested; otherwise empty. */
export function lastSentTo(purpose: CodeRequest['purpose']): string {
  const sent = sentCodes[purpose].peek();
  return sent && sent.until > Date.now() ? sent.to : '';
}

/**
 * Seconds until a code may be sent to this address, counting down. For an empty address, the wait
 * after the last code applies.
 */
export function useResendWait(purpose: CodeRequest['purpose'], to: string): number {
  const sent = useValue(sentCodes[purpose]);
  const until = sent && (to === '' || to === sent.to) ? sent.until : 0;
  const [now, setNow] = useState(Date.now);
  const left = until - now;
  useEffect(() => {
    const remaining = until - Date.now();
    if (remaining <= 0) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    const end = setTimeout(() => setNow(Date.now()), remaining);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [until]);
  return Math.max(0, Math.ceil(left / 1000));
}
