import type { Clock } from '../../core/clock';
import type { Log } from '../../core/log';
import { ofCode } from '../code';
import type { ListedPair } from './codec';
import { CODECS } from './codecs/codecs';
import type { LiveOptions } from './liveOptions';
import { Source } from './source';

const MOST_BY_DEFAULT = 100;

/** The exchanges of a market, in order of preference. */
export function liveSources(
  { exchanges, websocket, rest }: Pick<LiveOptions, 'exchanges' | 'websocket' | 'rest'>,
  clock: Clock,
  log: Log,
  raw?: (exchange: string, text: string) => void,
): Source[] {
  return exchanges.map(
    (key) => new Source({ codec: CODECS[key], websocket, rest, clock, log, ...(raw && { raw }) }),
  );
}

/** What the exchanges list, of those that answer. */
export async function readLists(
  sources: readonly Source[],
  log: Log,
): Promise<Map<Source, ReadonlyMap<string, ListedPair>>> {
  const lists = new Map<Source, ReadonlyMap<string, ListedPair>>();
  await Promise.all(
    sources.map(async (source) => {
      try {
        lists.set(source, await source.list());
      } catch (error) {
        const reason = error instanceof Error ? (error.cause ?? error) : error;
        log.warn(`${source.codec.name} can't be reached: ${reason}`);
      }
    }),
  );
  return lists;
}

/**
 * The codes of the market: those asked for, or those that it had before and, up to a hundred, those that are traded most: an instrument in
 * which somebody holds an order stays, whatever else is traded today. Throws an error for the operator.
 */
export function chooseCodes(
  { codes }: Pick<LiveOptions, 'codes'>,
  sources: readonly Source[],
  lists: ReadonlyMap<Source, ReadonlyMap<string, ListedPair>>,
  known: { readonly codes: readonly { code: string }[] } = { codes: [] },
): string[] {
  const names = sources.map(({ codec }) => codec.name).join(' and ');
  if (lists.size === 0 && known.codes.length === 0) {
    throw new Error(`${names} can't be reached, and nothing is known of an earlier run`);
  }
  const before = new Set(known.codes.map(({ code }) => code));
  const listed = (code: string) =>
    [...lists.values()].some((list) => list.has(code)) ||
    (lists.size < sources.length && before.has(code));
  if (codes.length > 0) {
    const all = new Set([...[...lists.values()].flatMap((list) => [...list.keys()]), ...before]);
    const present = [...all].filter(listed).map((code) => ({ code }));
    const named = codes.map((text) => {
      const [found, ...more] = ofCode(present, text);
      return found && more.length === 0 ? found.code : text;
    });
    const unknown = named.filter((code) => !listed(code));
    if (unknown.length > 0) throw new Error(`${names} does not list ${unknown.join(', ')}`);
    return [...new Set(named)];
  }
  const kept = [...before].filter(listed);
  const first = sources.map((source) => lists.get(source)).find((list) => list);
  const turnover = (code: string) => first?.get(code)?.turnover ?? 0;
  const byTurnover = (a: string, b: string) => turnover(b) - turnover(a);
  const added = [...(first?.keys() ?? [])]
    .filter((code) => !before.has(code))
    .sort(byTurnover)
    .slice(0, Math.max(0, MOST_BY_DEFAULT - kept.length));
  return [...kept, ...added].sort(byTurnover);
}
