import { pageSetting } from '../pageSetting';

/**
 * Which variant of the app a page is, it says itself: by its title (DEMO, screens.md#variants),
 * and by the words of `<meta name="variant">` (D63).
 */
export type Variant =
  /** Search lists service providers. */
  | 'main-site'
  /** Desktops have a host of their own. */
  | 'desktop-host';

export function isVariant(variant: Variant): boolean {
  return pageSetting('variant').split(/\s+/).includes(variant);
}
