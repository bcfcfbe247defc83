import { MessageSquareText } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { buttonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { Page } from '../../ui/Page';
import { EmptyState } from '../../ui/State';

/** `/feedback`: a stub that links to the complaint email. */
export function FeedbackScreen() {
  const t = useT();
  return (
    <Page title={t('feedback.title')}>
      <EmptyState
        icon={<MessageSquareText size={24} aria-hidden="true" />}
        title={t('common.comingSoon')}
        action={
          <Link to="/mine/email" className={buttonClass('primary')}>
            {t('feedback.email')}
          </Link>
        }
      >
        {t('feedback.hint')}
      </EmptyState>
    </Page>
  );
}
