import { aText, stored } from '../../preferences/stored';

/** ISO code of the country whose calling code was used last. */
export const country = stored<string | undefined>('country', undefined, aText);
