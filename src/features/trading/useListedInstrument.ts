import type { Feature } from '#domain/api/features';
import type { Instrument } from '#domain/market/instrument';
import { useFeature } from '../../requests/accountSettings';
import { useRequest } from '../../requests/queries';
import { api } from '../../worker/api';

/** What the server lists of an instrument, asked once where it has a part of the protocol that is a field of it. */
export function useListedInstrument({ id, code }: Instrument, feature: Feature) {
  const { data } = useRequest(
    ['instrument', code],
    () => api('market.instrumentList', { searchCurrency: code }),
    { scope: 'anyone', enabled: useFeature(feature) },
  );
  return data?.find(({ Id }) => Id === id);
}
