import { useId } from 'react';
import { useLocation } from 'react-router-dom';
import { useT } from '../i18n/i18n';
import { instrument, tradePath } from '../preferences/instrument';
import { Link } from '../ui/Link';
import { LeftOut, lazyPart } from '../ui/lazyPart';
import { useMediaQuery, WIDE } from '../ui/useMediaQuery';
import { useValue } from '../useValue';
import { pricesShown } from '../worker/frameReceiver';
import styles from './TabBar.module.css';
import { MORE, TABS, type Tab } from './tabs';

// After the first prices, which it would delay.
const OrderCount = lazyPart(async () => {
  await pricesShown();
  return import('./OrderCount');
}, LeftOut);

/**
 * The tab bar (screens.md#tab-bar): below on a phone; always shown at the side of a desktop, with
 * more entries.
 */
export function TabBar({ footer }: { footer: boolean }) {
  const wide = useMediaQuery(WIDE);
  if (!footer && !wide) return null;
  return <Tabs tabs={wide ? [...TABS, ...MORE] : TABS} />;
}

function Tabs({ tabs }: { tabs: readonly Tab[] }) {
  const t = useT();
  const { pathname, search } = useLocation();
  const code = useValue(instrument);
  const count = useId();
  // Two tabs lead to /rank: prefer the one whose query matches as well.
  const current =
    tabs.find(({ to }) => to === pathname + search) ??
    tabs.find(({ to }) => to === (pathname === '/workspace' ? '/trade' : pathname));
  return (
    <nav className={styles.tabs} aria-label={t('common.tabs')}>
      {tabs.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to === '/trade' ? tradePath(code) : to}
          className={styles.tab}
          aria-describedby={to === '/order' ? count : undefined}
          aria-current={current?.to === to ? 'page' : undefined}
        >
          <div className={styles.icon}>
            <Icon size={20} />
            {to === '/order' && <OrderCount id={count} />}
          </div>
          <span>{t(label)}</span>
        </Link>
      ))}
    </nav>
  );
}
