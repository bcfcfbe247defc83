import { useT } from '../../i18n/i18n';
import { Page } from '../../ui/Page';

/** `/mine/announcement`: the countries that are not served. */
export function AnnouncementScreen() {
  const t = useT();
  return (
    <Page title={t('account.announcement')}>
      <h2>{t('account.notServedTitle')}</h2>
      <p>{t('account.notServed')}</p>
      <p>{t('account.notServedMeans')}</p>
    </Page>
  );
}
