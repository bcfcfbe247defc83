import { aText, stored } from '../../session/stored';

/** ISO code of the country whose calling code was used last. */
export const country = stored<string | undefined>('country', undefined, aText);
