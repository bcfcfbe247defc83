import { ShieldCheck } from 'lucide-react';
import { ruleText } from '../../i18n/failure';
import { useT } from '../../i18n/i18n';
import { ButtonLink } from '../../ui/ButtonLink';
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
        icon={<ShieldCheck size={24} />}
        title={ruleText({ key: 'realAccountRequired' })}
        action={
          <div className={styles.links}>
            <ButtonLink to={`/register${query}`}>{t('account.register')}</ButtonLink>
            <ButtonLink to={`/login${query}`} variant="plain">
              {t('account.login')}
            </ButtonLink>
          </div>
        }
      >
        {t('account.realAccountHint')}
      </EmptyState>
    </Page>
  );
}
