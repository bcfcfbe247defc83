import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import { translate } from '../../core/translate';
import type { ClosedReason } from '../market';

/** Why a market is closed, for the user. Times are in UTC, with the date where it is not today's. */
export function closedText(language: Language, reason: ClosedReason, now: UnixMs): string {
  if (typeof reason === 'string') return translate(language, `server.closed.${reason}`);
  const [day = '', clock = ''] = new Date(reason.since).toISOString().split('T');
  const today = new Date(now).toISOString().startsWith(day);
  const time = `${today ? '' : `${day} `}${clock.slice(0, 5)} UTC`;
  return translate(language, 'server.closed.feed', { feed: reason.feed, time });
}
