import type { ListRow } from '#domain/market/list';
import { connect } from '../../../../src/worker/connect';
import { listRevision } from '../../../../src/worker/frameReceiver';
import { workerApi } from '../../../../src/worker/workerApi';

/** The app's worker and its frame receiver; resolves with the whole list. */
export function connectWorker(): Promise<ListRow[]> {
  connect('en', false);
  return new Promise((resolve) => {
    listRevision.subscribe(() => {
      const query = { sort: 'default', descending: false, favourites: [] } as const;
      void workerApi.rows({ ...query, favourites: [] }, 0, 100_000).then(({ rows, loading }) => {
        if (!loading) resolve(rows);
      });
    });
  });
}
