import { setImmediate } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { LANGUAGES, type Language, localeOf } from '#domain/core/language';
import {
  millisecondOf,
  secondOf,
  timeAfter,
  timeBefore,
  toDurationMs,
  toSeconds,
  type UnixSeconds,
} from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { barStart } from '#domain/market/kline';
import type { Clock } from '../core/clock';
import { escapeHtml } from '../core/escapeHtml';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import { fixedText, translate } from '../core/translate';
import type { Db } from '../db/database';
import { shippedArticles } from '../db/schema';
import type { MarketView } from '../market/market';
import { publishShipped } from './publish';
import type { ArticleText } from './shipped';

const DAY = toSeconds(86_400);
/** A day is summed up this long after its end: by then late trades have come. */
const POSTED_AFTER = toDurationMs(5 * 60_000);
const CHECK_EVERY = toDurationMs(60_000);
/** Rows of a table. */
const LISTED = 3;

export interface DailySummaryOptions {
  db: Db;
  market: Pick<MarketView, 'instruments' | 'bars'>;
  clock: Clock;
  log: Log;
}

interface Move {
  instrument: Instrument;
  low: number;
  high: number;
  /** From the open to the close, as a share of the open. */
  change: number;
}

/**
 * Posts an article about each UTC day, from its bars: what rose and fell most, and how far prices ranged. A day is
 * posted once, at 00:05 of the next one or when the server starts after that.
 */
export function createDailySummary({ db, market, clock, log }: DailySummaryOptions) {
  /** The last day that is done: posted, or without trades. */
  let done: UnixSeconds | undefined;
  const run = async () => {
    const day = lastDay(clock);
    if (day === done) return;
    const name = `daily-${new Date(millisecondOf(day)).toISOString().slice(0, 10)}`;
    const [posted] = await db.select().from(shippedArticles).where(eq(shippedArticles.name, name));
    const moves = posted ? [] : await movesOf(day);
    if (moves.length > 0) {
      const texts = new Map(LANGUAGES.map((language) => [language, write(language, day, moves)]));
      await publishShipped(db, [{ name, texts }], clock.now());
    }
    done = day;
  };
  /** What was traded on a day, the largest rise first; nothing once this has stopped. */
  const movesOf = async (day: UnixSeconds): Promise<Move[]> => {
    const moves: Move[] = [];
    for (const instrument of market.instruments) {
      // Calls and ticks don't wait for thousands of instruments.
      await setImmediate();
      if (task.stopped) return [];
      const [bar] = await market.bars(instrument.id, '1day', 1, timeAfter(day, DAY));
      if (bar?.time !== day || bar.volume === 0 || !(bar.open > 0)) continue;
      const { open, close, low, high } = bar;
      moves.push({ instrument, low, high, change: (close - open) / open });
    }
    return moves.sort((a, b) => b.change - a.change);
  };
  const task = new RepeatedTask({ name: 'daily summary', every: CHECK_EVERY, clock, log, run });
  return {
    async start() {
      task.start(toDurationMs(0));
    },
    stop: () => task.stop(),
  };
}

/** The start of the last day that is to be summed up. */
function lastDay(clock: Clock): UnixSeconds {
  const time = secondOf(timeBefore(clock.now(), POSTED_AFTER));
  return timeBefore(barStart('1day', time), DAY);
}

function write(language: Language, day: UnixSeconds, moves: readonly Move[]): ArticleText {
  const date = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' });
  const up = moves.filter(({ change }) => change > 0);
  const down = moves.filter(({ change }) => change < 0).reverse();
  const [largest] = moves.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const desc = translate(language, 'server.daily.summary', {
    count: moves.length,
    up: up.length,
    down: down.length,
    move: largest ? `${largest.instrument.name} ${changeText(language, largest.change)}` : '',
  });
  const content = [
    `<p>${escapeHtml(desc)}</p>`,
    ...table(language, 'server.daily.gains', up),
    ...table(language, 'server.daily.losses', down),
    `<p>${escapeHtml(translate(language, 'server.daily.basis'))}</p>`,
  ];
  return {
    title: translate(language, 'server.daily.title', { date: date.format(millisecondOf(day)) }),
    desc,
    content: content.join('\n'),
  };
}

function table(
  language: Language,
  title: 'server.daily.gains' | 'server.daily.losses',
  moves: readonly Move[],
): string[] {
  if (moves.length === 0) return [];
  const heads = (['orders.field.name', 'server.daily.change', 'server.daily.range'] as const).map(
    (key) => translate(language, key),
  );
  const rows = moves.slice(0, LISTED).map(({ instrument, change, low, high }) => [
    instrument.name,
    changeText(language, change),
    // Isolated: from right to left the low would stand after the high.
    `\u2066${[low, high].map((price) => fixedText(language, price, instrument.precision)).join(' – ')}\u2069`,
  ]);
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  return [
    `<h2>${escapeHtml(translate(language, title))}</h2>`,
    `<table>${line('th', heads)}${rows.map((row) => line('td', row)).join('')}</table>`,
  ];
}

function changeText(language: Language, share: number): string {
  return new Intl.NumberFormat(localeOf(language), {
    style: 'percent',
    signDisplay: 'exceptZero',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(share);
}
