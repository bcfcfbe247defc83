import { useLocation } from 'react-router-dom';
import { useT } from '../i18n/i18n';
import { Link } from '../ui/Link';
import styles from './TabBar.module.css';
import { TABS } from './tabs';

/** §2: below on a phone, at the side of a desktop. */
export function TabBar() {
  const t = useT();
  const { pathname, search } = useLocation();
  // Two tabs share /rank: the one that also names the query is nearer.
  const current =
    TABS.find(({ to }) => to === pathname + search) ?? TABS.find(({ to }) => to === pathname);
  return (
    <nav className={styles.tabs} aria-label={t('common.tabs')}>
      {TABS.map(({ to, label, Icon }) => (
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
