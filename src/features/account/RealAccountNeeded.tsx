import { ShieldCheck } from 'lucide-react';
import { ruleText } from '../../i18n/failure';
import { useT } from '../../i18n/i18n';
import { buttonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { Page } from '../../ui/Page';
import { EmptyState } from '../../ui/State';
import styles from './RealAccountNeeded.module.css';

/**
 * Shown to demo users instead of a screen for real users (screens.md#demo-accounts). `from` is the
 * path that they wanted.
 */
export default function RealAccountNeeded({ title, from }: { title: string; from: string }) {
  const t = useT();
  const query = `?${new URLSearchParams({ from })}`;
  return (
    <Page title={title}>
      <EmptyState
        icon={<ShieldCheck size={24} aria-hidden="true" />}
        title={ruleText({ key: 'realAccountRequired' })}
        action={
          <div className={styles.links}>
            <Link className={buttonClass('primary')} to={`/register${query}`}>
              {t('account.register')}
            </Link>
            <Link className={buttonClass('plain')} to={`/login${query}`}>
              {t('account.login')}
            </Link>
          </div>
        }
      >
        {t('account.realAccountHint')}
      </EmptyState>
    </Page>
  );
}
