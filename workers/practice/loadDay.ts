import { basicInfo } from '#domain/api/common';
import { instrumentList } from '#domain/api/market';
import { emptyBar } from '#domain/api/read-market';
import { failed, type Result, success } from '#domain/core/result';
import { secondOf, timeAfter, toSeconds, type UnixMs, type UnixSeconds } from '#domain/core/time';
import { toPrice, toUsd } from '#domain/core/units';
import { sessionStart } from '#domain/indicators/session';
import type { Instrument, SwapTerms } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import { spread, type TopOfBook } from '#domain/market/topOfBook';
import { practiceId } from '#domain/practice/session';
import type { PracticeDay } from '#domain/practice/stored';
import type { PracticeDays } from '#domain/worker/practice';
import { callRead } from '../http/ask';
import type { Http } from '../http/client';
import { Bars } from '../market/bars';
import { createHistory, type History } from '../market/history';

/** The chart begins with so many bars before the day at least, and with the session before it, which pivot points are of. */
const LEAST_EARLIER = 200;
const MOST_EARLIER = 2000;
const DAY = 86_400;
/** Of a server that sends small ones. */
const MOST_PAGES = 100;
/** The finest one is played that the server has of the whole day: of older days it may have longer bars only. */
const TRIED: readonly Period[] = ['1min', '5min', '15min', '30min', '60min'];

interface Wanted {
  instrument: Instrument;
  topOfBook: TopOfBook | undefined;
  /** 00:00 UTC. */
  day: UnixMs;
  days: PracticeDays;
  balance: string;
}

/** Fetches what a session needs of its day; it is played without the server then. */
export async function loadDay(http: Http, wanted: Wanted): Promise<Result<PracticeDay>> {
  const { instrument, topOfBook, day, days, balance } = wanted;
  const terms = await callRead(http, basicInfo, {}, { quiet: true });
  if (!terms.ok) return terms;
  const { feeType, quoteFill, features } = terms.data;
  if (!feeType) return failed({ kind: 'transport', code: 'ERR_BAD_RESPONSE' });
  const swap = features.includes('swap') ? await swapOf(http, instrument) : success(undefined);
  if (!swap.ok) return swap;
  const found = await findBars(http, instrument.id, day, days);
  if (!found.ok) return found;
  const apart = quoteFill === 0 || !topOfBook ? 0 : spread(topOfBook);
  return success({
    ...found.data,
    instrument: {
      ...instrument,
      id: practiceId(instrument.id),
      ...(swap.data && { swap: swap.data }),
    },
    feeType,
    quoteFill,
    spread: toPrice(apart > 0 ? apart : 0),
    balance: toUsd(balance),
  });
}

type Found = Pick<PracticeDay, 'period' | 'earlier' | 'bars'>;

/** What the nights of an instrument cost; undefined where the server does not say. Whether it charges them is not told: it shows them. */
async function swapOf(
  http: Http,
  { id, code }: Instrument,
): Promise<Result<SwapTerms | undefined>> {
  const listed = await callRead(http, instrumentList, { searchCurrency: code }, { quiet: true });
  if (!listed.ok) return listed;
  const row = listed.data.find(({ Id }) => Id === id);
  if (!row?.SwapLong || !row.SwapShort) return success(undefined);
  const { SwapLong: long, SwapShort: short, SwapTriple: triple } = row;
  return success({ long: toUsd(long), short: toUsd(short), triple });
}

async function findBars(
  http: Http,
  instrumentId: number,
  day: UnixMs,
  days: PracticeDays,
): Promise<Result<Found>> {
  const history = createHistory(http, instrumentId);
  const from = secondOf(day);
  const to = timeAfter(from, toSeconds(days * DAY));
  let partly: Found | undefined;
  for (const period of TRIED) {
    const reached = await reach(history, period, from, to);
    if (!reached.ok) return reached;
    if (!(reached.data.last >= from)) continue;
    const all = listOf(reached.data);
    const found = {
      period,
      earlier: all.filter(({ time }) => time < from).slice(-MOST_EARLIER),
      bars: all.filter(({ time }) => time >= from),
    };
    // With bars of before, the day has all of its own.
    if (found.earlier.length > 0) return success(found);
    partly ??= found;
  }
  return partly ? success(partly) : failed({ kind: 'invalid', message: { key: 'noBarsOfDay' } });
}

/** The bars before `to`, page by page until there are those before `from` too, or the server has no older ones. */
async function reach(
  history: History,
  period: Period,
  from: UnixSeconds,
  to: UnixSeconds,
): Promise<Result<Bars>> {
  const bars = new Bars();
  let before = to;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const older = await history.page(period, undefined, before);
    if (!older.ok) return older;
    if (older.data.length === 0) break;
    bars.mergeAll(older.data, false);
    before = bars.first;
    if (bars.last < from) break;
    const earlier = bars.indexOf(from);
    const begun = earlier > 0 && bars.first <= sessionStart(period, bars.time(earlier - 1));
    if (begun && earlier >= LEAST_EARLIER) break;
  }
  return success(bars);
}

function listOf(bars: Bars): Bar[] {
  return Array.from({ length: bars.length }, (_, index) => {
    const bar = emptyBar();
    bars.read(index, bar);
    return bar;
  });
}
