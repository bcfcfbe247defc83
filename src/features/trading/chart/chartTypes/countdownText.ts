import type { Seconds } from '#domain/core/time';

const two = (value: number) => `${value}`.padStart(2, '0');

/** A time as minutes and seconds, with hours where there are any; undefined where it is over. */
export function countdownText(left: Seconds): string | undefined {
  if (!(left > 0)) return undefined;
  const hours = Math.floor(left / 3600);
  const rest = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return hours > 0 ? `${two(hours)}:${rest}` : rest;
}
