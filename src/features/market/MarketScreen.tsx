import { Languages, Search } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { iconButtonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { LeftOut, lazyPart } from '../../ui/lazyPart';
import { RefreshButton } from '../../ui/RefreshButton';
import { ScreenHeader } from '../../ui/ScreenHeader';
import { MarketList, refreshMarket } from './MarketList';
import styles from './MarketScreen.module.css';

const MoreLinks = lazyPart(() => import('./MoreLinks'), LeftOut);

/** `/` on a phone (screens.md#home): the market list. */
export function MarketScreen() {
  const t = useT();
  return (
    <section className={styles.market} aria-label={t('market.title')}>
      <ScreenHeader title={t('market.title')}>
        <RefreshButton onRefresh={refreshMarket} />
        <Link to="/product" className={iconButtonClass} aria-label={t('market.search')}>
          <Search size={20} />
        </Link>
        <Link to="/language" className={iconButtonClass} aria-label={t('language.title')}>
          <Languages size={20} />
        </Link>
        <span className={styles.more}>
          <MoreLinks />
        </span>
      </ScreenHeader>
      <MarketList />
    </section>
  );
}
