import { useLocation } from 'react-router-dom';
import { useT } from '../i18n/i18n';
import { Link } from '../ui/Link';
import { useMediaQuery, WIDE } from '../ui/useMediaQuery';
import styles from './TabBar.module.css';
import { MORE, TABS, type Tab } from './tabs';

/** screens.md#tab-bar: below on a phone. At the side of a desktop it stays, and has room for the rest of the house. */
export function TabBar({ footer }: { footer: boolean }) {
  const wide = useMediaQuery(WIDE);
  if (!footer && !wide) return null;
  return <Tabs tabs={wide ? [...TABS, ...MORE] : TABS} />;
}

function Tabs({ tabs }: { tabs: readonly Tab[] }) {
  const t = useT();
  const { pathname, search } = useLocation();
  // Two tabs share /rank: the one that also names the query is nearer.
  const current =
    tabs.find(({ to }) => to === pathname + search) ?? tabs.find(({ to }) => to === pathname);
  return (
    <nav className={styles.tabs} aria-label={t('common.tabs')}>
      {tabs.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          className={styles.tab}
          aria-current={current?.to === to ? 'page' : undefined}
        >
          <Icon size={20} aria-hidden="true" />
          <span>{t(label)}</span>
        </Link>
      ))}
    </nav>
  );
}
