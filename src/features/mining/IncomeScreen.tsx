import { Coins } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { DAILY_PROFIT_SCALE } from '#domain/mining/mining';
import { formatAmount, formatDateTime } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { ListScreen } from '../../requests/ListScreen';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { ButtonLink } from '../../ui/ButtonLink';
import { Ltr } from '../../ui/Ltr';
import { Row } from '../../ui/Row';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';

/** `/mining/income?id=`: the daily profits of a subscription. */
export function IncomeScreen() {
  const t = useT();
  const [query] = useSearchParams();
  const id = Number(query.get('id')) || 0;
  const list = useInfiniteList(['incomes', id], (page) =>
    api('mining.incomeList', { sub_id: id, page }),
  );
  return (
    <ListScreen
      back
      reading
      title={t('mining.income')}
      list={list}
      estimate={3.5}
      row={({ interest, createdAt }) => (
        <Row
          title={t('mining.dailyProfit')}
          detail={createdAt !== undefined && formatDateTime(createdAt)}
          figure={<Ltr>{formatAmount(interest, DAILY_PROFIT_SCALE, 'always')}</Ltr>}
        />
      )}
      empty={
        <EmptyState
          icon={<Coins size={24} />}
          title={t('mining.noIncome')}
          action={<ButtonLink to="/mining/record">{t('mining.records')}</ButtonLink>}
        >
          {t('mining.noIncomeHint')}
        </EmptyState>
      }
    />
  );
}
