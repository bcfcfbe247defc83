import { pageSetting } from './pageSetting';

/**
 * The variants of the app. The page declares them in `<meta name="variant">`, and DEMO by its
 * title (screens.md#variants).
 */
export type Variant =
  /** Search lists service providers. */
  | 'main-site'
  /** Desktops have a host of their own. */
  | 'desktop-host';

export function isVariant(variant: Variant): boolean {
  return pageSetting('variant').split(/\s+/).includes(variant);
}
