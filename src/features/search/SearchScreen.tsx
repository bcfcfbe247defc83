import { isVariant } from '../../variant';
import { CompanySearch } from './CompanySearch';
import { InstrumentSearch } from './InstrumentSearch';

/**
 * `/product` (screens.md#search): searches service providers in the main-site variant, otherwise
 * instruments.
 */
export function SearchScreen() {
  return isVariant('main-site') ? <CompanySearch /> : <InstrumentSearch />;
}
