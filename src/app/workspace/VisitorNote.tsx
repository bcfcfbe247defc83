import { LogIn } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { EmptyState } from '../../ui/State';
import { VisitorChoices } from '../../visitors/VisitorChoices';

/** In place of a panel that only users see. */
export function VisitorNote() {
  const t = useT();
  return (
    <EmptyState
      icon={<LogIn size={24} aria-hidden="true" />}
      title={t('workspace.visitor')}
      action={<VisitorChoices from="/workspace" />}
    />
  );
}
