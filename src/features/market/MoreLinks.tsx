import { CircleUser, Newspaper, PiggyBank, SlidersHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useT } from '../../i18n/i18n';
import { IconButton, iconButtonClass } from '../../ui/Button';
import { classes } from '../../ui/classes';
import { Link } from '../../ui/Link';
import { lazyPart, ToldInBanner } from '../../ui/lazyPart';
import styles from './MarketScreen.module.css';

/** Hidden on a desktop, which has these links beside the tabs. */
const linkClass = classes(iconButtonClass, styles.phoneOnly);

const AppearanceSheet = lazyPart(() => import('./AppearanceSheet'), ToldInBanner);

/** Links from the market to other screens; loaded after the prices. */
export default function MoreLinks() {
  const t = useT();
  const [appearance, setAppearance] = useState<'open' | 'closed'>();
  return (
    <>
      <Link to="/news" className={linkClass} aria-label={t('news.title')}>
        <Newspaper size={20} aria-hidden="true" />
      </Link>
      <Link to="/mining" className={linkClass} aria-label={t('mining.title')}>
        <PiggyBank size={20} aria-hidden="true" />
      </Link>
      <Link to="/user" className={linkClass} aria-label={t('account.center')}>
        <CircleUser size={20} aria-hidden="true" />
      </Link>
      <IconButton label={t('market.appearance')} onClick={() => setAppearance('open')}>
        <SlidersHorizontal size={20} aria-hidden="true" />
      </IconButton>
      {appearance && (
        <Suspense>
          <AppearanceSheet open={appearance === 'open'} onClose={() => setAppearance('closed')} />
        </Suspense>
      )}
    </>
  );
}
