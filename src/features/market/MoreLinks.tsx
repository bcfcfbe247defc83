import { CircleUser, Newspaper, PiggyBank, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/i18n';
import { IconButton, iconButtonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { lazyPart, ToldInBanner } from '../../ui/lazyPart';

const AppearanceSheet = lazyPart(() => import('./AppearanceSheet'), ToldInBanner);

/** Links from the market to other screens; loaded after the prices. */
export default function MoreLinks() {
  const t = useT();
  const [appearance, setAppearance] = useState<'open' | 'closed'>();
  return (
    <>
      <Link to="/news" className={iconButtonClass} aria-label={t('news.title')}>
        <Newspaper size={20} />
      </Link>
      <Link to="/mining" className={iconButtonClass} aria-label={t('mining.title')}>
        <PiggyBank size={20} />
      </Link>
      <Link to="/user" className={iconButtonClass} aria-label={t('account.center')}>
        <CircleUser size={20} />
      </Link>
      <IconButton label={t('market.appearance')} onClick={() => setAppearance('open')}>
        <SlidersHorizontal size={20} />
      </IconButton>
      {appearance && (
        <AppearanceSheet open={appearance === 'open'} onClose={() => setAppearance('closed')} />
      )}
    </>
  );
}
