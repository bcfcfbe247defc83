import { Info } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { Page } from '../../ui/Page';
import { Row } from '../../ui/Row';
import { LogoutRow } from './LogoutRow';

/** `/mine/system`: about and logout. */
export function SystemScreen() {
  const t = useT();
  return (
    <Page title={t('account.other')} flush>
      <Row lead={<Info size={20} />} title={t('about.title')} to="/about" />
      <LogoutRow />
    </Page>
  );
}
