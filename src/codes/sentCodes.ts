import { useEffect, useReducer } from 'react';
import type { CodePurpose } from '#domain/account/settings';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import { aNumber, aText, stored } from '../preferences/stored';
import { useValue } from '../useValue';

/** The last requested code of one purpose. */
interface SentCode {
  to: string;
  /** From this time on another code may be requested. */
  until: UnixMs;
  /** The wait that the server asked for, ms: no clock that was set back makes it longer. */
  wait: number;
  /** The same moment as `until` on the page's monotonic clock (`performance.now`). */
  ends: number;
}

/** Kept when the screen is left, over reloads and in other tabs. */
const sentCodes = {
  register: stored<SentCode | undefined>('code-register', undefined, readSent),
  reset: stored<SentCode | undefined>('code-reset', undefined, readSent),
  draw: stored<SentCode | undefined>('code-draw', undefined, readSent),
  bind: stored<SentCode | undefined>('code-bind', undefined, readSent),
} satisfies Record<CodePurpose, unknown>;

function readSent(value: unknown): SentCode | undefined {
  const { to, until, wait } = (value ?? {}) as Record<string, unknown>;
  const address = aText(to);
  const time = aNumber(until);
  const longest = aNumber(wait);
  if (!address || !time || !longest) return undefined;
  const left = Math.min(time - Date.now(), longest);
  // Each page has its own monotonic clock.
  const ends = performance.now() + left;
  return left > 0 ? { to: address, until: toUnixMs(time), wait: longest, ends } : undefined;
}

export function codeSent(purpose: CodePurpose, to: string, retryAfter: number): void {
  const wait = retryAfter * 1000;
  const until = toUnixMs(Date.now() + wait);
  sentCodes[purpose].value = { to, until, wait, ends: performance.now() + wait };
}

/**
 * Ms until another code may be requested. The wall clock may be set back, and the monotonic one
 * stops while some devices sleep: the one that has moved further is right.
 */
function msLeft(sent: SentCode | undefined): number {
  return sent ? Math.max(0, Math.min(sent.until - Date.now(), sent.ends - performance.now())) : 0;
}

/** The address of the last code, while no other code may be requested; otherwise empty. */
export function lastSentTo(purpose: CodePurpose): string {
  const sent = sentCodes[purpose].peek();
  return sent && msLeft(sent) > 0 ? sent.to : '';
}

/**
 * Seconds until a code may be sent to this address, counting down. For an empty address, the wait
 * after the last code applies.
 */
export function useResendWait(purpose: CodePurpose, to: string): number {
  const last = useValue(sentCodes[purpose]);
  const sent = last && (to === '' || to === last.to) ? last : undefined;
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const remaining = msLeft(sent);
    if (remaining <= 0) return;
    tick();
    const timer = setInterval(tick, 1000);
    const end = setTimeout(tick, remaining);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [sent]);
  return Math.ceil(msLeft(sent) / 1000);
}
