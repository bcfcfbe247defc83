import { sql } from 'drizzle-orm';
import type { PopularRow } from '#domain/api/ranking';
import { DAY_MS, timeBefore, toDurationMs } from '#domain/core/time';
import { renewed } from '../core/renewed';
import type { Db } from '../db/database';
import type { Market } from '../market/market';

const WEEK_MS = toDurationMs(7 * DAY_MS);
/** Fewer users could be recognised by what they trade. */
const FEWEST_USERS = 5;
const MOST_INSTRUMENTS = 6;
/** A busy server has more orders a week than an answer may read. */
const MOST_ORDERS = 100_000;
/** The same answer for everybody: what one more order changes would tell about its user. */
const REFRESH_EVERY_MS = toDurationMs(10 * 60_000);

export interface PopularOptions {
  db: Db;
  market: Pick<Market, 'feed' | 'instruments' | 'now'>;
}

/** The instruments that most users of this process have traded within a week, by the number of users. */
export function popularInstruments({ db, market }: PopularOptions): () => Promise<PopularRow[]> {
  async function count(): Promise<PopularRow[]> {
    const since = new Date(timeBefore(market.now(), WEEK_MS)).toISOString();
    const { rows } = await db.execute<{ code: string }>(sql`
      select code from (select * from orders order by id desc limit ${MOST_ORDERS}) o
      where feed = ${market.feed} and created_at >= ${since}::timestamptz
        and user_id not in (select user_id from traders)
      group by code having count(distinct user_id) >= ${FEWEST_USERS}
      order by count(distinct user_id) desc, code`);
    const names = new Map(market.instruments.map(({ code, name }) => [code, name]));
    return rows
      .flatMap(({ code }) => {
        const name = names.get(code);
        return name === undefined ? [] : [{ Code: code, Name: name }];
      })
      .slice(0, MOST_INSTRUMENTS);
  }

  return renewed(REFRESH_EVERY_MS, () => market.now(), count);
}
