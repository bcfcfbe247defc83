import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useT } from '../../i18n/i18n';
import { Missing } from '../../requests/Missing';
import { NotRefreshed } from '../../requests/NotRefreshed';
import { useRequest } from '../../requests/queries';
import { ButtonLink } from '../../ui/ButtonLink';
import { ListSkeleton } from '../../ui/RowSkeleton';
import { Screen } from '../../ui/Screen';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import styles from './Mining.module.css';
import { SubscribeForm } from './SubscribeForm';

/** `/mining/subscribe?id=`: a fund and the form to subscribe to it. */
export function SubscribeScreen() {
  const t = useT();
  const [query] = useSearchParams();
  const scroller = useRef<HTMLDivElement>(null);
  const id = Number(query.get('id'));
  const known = Number.isSafeInteger(id) && id > 0;
  const fund = useRequest(['fund', id], () => api('mining.fundInfo', { id }), {
    scope: 'anyone',
    enabled: known,
  });
  return (
    <Screen
      back
      title={t('mining.subscribe.title')}
      scroller={scroller}
      onRefresh={fund.refetch}
      className={styles.filled}
    >
      {!known && (
        <EmptyState
          title={t('mining.unknown')}
          action={<ButtonLink to="/mining">{t('mining.all')}</ButtonLink>}
        />
      )}
      {fund.failure && fund.data && <NotRefreshed onRetry={fund.refetch} />}
      {known && (
        <Missing request={fund}>
          <ListSkeleton />
        </Missing>
      )}
      {fund.data && <SubscribeForm key={fund.data.id} fund={fund.data} />}
    </Screen>
  );
}
