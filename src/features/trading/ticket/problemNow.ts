import { useRef } from 'react';
import type { Problem } from '#domain/trading/rules';
import type { TicketPreview } from '#domain/worker/trading';

/** How often a value has changed from one render to the next. */
export function useRevision(value: unknown): number {
  const last = useRef({ value, revision: 0 });
  if (!Object.is(last.current.value, value))
    last.current = { value, revision: last.current.revision + 1 };
  return last.current.revision;
}

/** What the worker finds wrong with the entries of this revision. What it has not judged yet, it judges before it is sent. */
export function problemOf(
  preview: TicketPreview | undefined,
  revision: number,
): Problem | undefined {
  return preview?.revision === revision ? preview.problem : undefined;
}
