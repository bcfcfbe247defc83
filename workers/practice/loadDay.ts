import { basicInfo } from '#domain/api/common';
import { emptyBar } from '#domain/api/read-market';
import { failed, type Result, success } from '#domain/core/result';
import { secondOf, timeAfter, timeBefore, toSeconds, type UnixMs } from '#domain/core/time';
import { toPrice, toUsd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import { spread, type TopOfBook } from '#domain/market/topOfBook';
import { practiceId } from '#domain/practice/session';
import type { PracticeDay } from '#domain/practice/stored';
import { callRead } from '../http/ask';
import type { Http } from '../http/client';
import type { Bars } from '../market/bars';
import { createHistory } from '../market/history';

/** Bars before the day, which its chart begins with. */
const EARLIER = 200;
const DAY = toSeconds(86_400);
/** The finest one is played that the server has of the whole day: of older days it may have longer bars only. */
const TRIED: readonly Period[] = ['1min', '5min', '15min', '30min', '60min'];

interface Wanted {
  instrument: Instrument;
  topOfBook: TopOfBook | undefined;
  /** 00:00 UTC. */
  day: UnixMs;
  balance: string;
}

/** Fetches what a session needs of its day; it is played without the server then. */
export async function loadDay(http: Http, wanted: Wanted): Promise<Result<PracticeDay>> {
  const { instrument, topOfBook, day, balance } = wanted;
  const terms = await callRead(http, basicInfo, {}, { quiet: true });
  if (!terms.ok) return terms;
  const { feeType, quoteFill } = terms.data;
  if (!feeType) return failed({ kind: 'transport', code: 'ERR_BAD_RESPONSE' });
  const found = await findBars(http, instrument.id, day);
  if (!found.ok) return found;
  const apart = quoteFill === 0 || !topOfBook ? 0 : spread(topOfBook);
  return success({
    ...found.data,
    instrument: { ...instrument, id: practiceId(instrument.id) },
    feeType,
    quoteFill,
    spread: toPrice(apart > 0 ? apart : 0),
    balance: toUsd(balance),
  });
}

type Found = Pick<PracticeDay, 'period' | 'earlier' | 'bars'>;

async function findBars(http: Http, instrumentId: number, day: UnixMs): Promise<Result<Found>> {
  const history = createHistory(http, instrumentId);
  const { signal } = new AbortController();
  const from = secondOf(day);
  const to = timeAfter(from, DAY);
  let partly: Found | undefined;
  for (const period of TRIED) {
    const latest = await history.page(period, signal, to);
    if (!latest.ok) return latest;
    if (!(latest.data.last >= from)) continue;
    const begin = timeBefore(from, toSeconds(EARLIER * PERIOD_SECONDS[period]));
    const reached = await history.reach(period, latest.data, begin, signal);
    if (!reached.ok) return reached;
    const all = listOf(reached.data.bars);
    const found = {
      period,
      earlier: all.filter(({ time }) => time < from).slice(-EARLIER),
      bars: all.filter(({ time }) => time >= from),
    };
    // With bars of before, the day has all of its own.
    if (found.earlier.length > 0) return success(found);
    partly ??= found;
  }
  return partly ? success(partly) : failed({ kind: 'invalid', message: { key: 'noBarsOfDay' } });
}

function listOf(bars: Bars): Bar[] {
  return Array.from({ length: bars.length }, (_, index) => {
    const bar = emptyBar();
    bars.read(index, bar);
    return bar;
  });
}
