import { MessageSquareText } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { ButtonLink } from '../../ui/ButtonLink';
import { Page } from '../../ui/Page';
import { EmptyState } from '../../ui/State';

/** `/feedback`: a stub that links to the complaint email. */
export function FeedbackScreen() {
  const t = useT();
  return (
    <Page title={t('feedback.title')}>
      <EmptyState
        icon={<MessageSquareText size={24} />}
        title={t('common.comingSoon')}
        action={<ButtonLink to="/mine/email">{t('account.complaintEmail')}</ButtonLink>}
      >
        {t('feedback.hint')}
      </EmptyState>
    </Page>
  );
}
