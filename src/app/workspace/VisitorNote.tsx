import { LogIn } from 'lucide-react';
import { DemoAccountButton } from '../../features/account/DemoAccountButton';
import { useT } from '../../i18n/i18n';
import { buttonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { EmptyState } from '../../ui/State';

/** In place of a panel that only users see. */
export function VisitorNote() {
  const t = useT();
  return (
    <EmptyState
      icon={<LogIn size={24} aria-hidden="true" />}
      title={t('workspace.visitor')}
      action={
        <>
          <Link to="/login?from=/workspace" className={buttonClass('primary')}>
            {t('account.login')}
          </Link>
          <DemoAccountButton />
        </>
      }
    />
  );
}
