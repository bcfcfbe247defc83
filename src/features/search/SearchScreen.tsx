import { isVariant } from '../../session/variant';
import { CompanySearch } from './CompanySearch';
import { InstrumentSearch } from './InstrumentSearch';

/** `/product` (screens.md#search): service providers in the main variant, instruments in all others. */
export function SearchScreen() {
  return isVariant('main-site') ? <CompanySearch /> : <InstrumentSearch />;
}
