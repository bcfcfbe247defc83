import type { UnixSeconds } from '#domain/core/time';

/** For the operator: minutes that the exchange does not tell any more. */
export function gapText(code: string, from: UnixSeconds, until: UnixSeconds): string {
  const [first, end] = [from, until].map((time) =>
    new Date(time * 1000).toISOString().slice(0, 16),
  );
  return `${code}: the minutes from ${first} to ${end} UTC were missed, more than one call of the exchange tells.`;
}
