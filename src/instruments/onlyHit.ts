import type { ListQuery, ListRow } from '#domain/market/list';
import { workerApi } from '../worker/workerApi';

/** The one instrument that a search finds, which Enter opens; undefined where it finds none or several. */
export async function onlyHit(query: ListQuery): Promise<ListRow | undefined> {
  if (!query.search) return undefined;
  const { total, rows } = await workerApi.rows(query, 0, 1);
  return total === 1 ? rows[0] : undefined;
}
