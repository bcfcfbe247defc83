import { ClipboardList, PiggyBank } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { ListScreen } from '../../requests/ListScreen';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { Button, iconButtonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import { FundHead, FundRow } from './FundRow';

/** `/mining`: the available funds. */
export function MiningScreen() {
  const t = useT();
  const list = useInfiniteList(['funds'], (page) => api('mining.fundList', { page }), 'anyone');
  return (
    <ListScreen
      back
      wide
      title={t('mining.title')}
      actions={
        <Link
          to="/mining/record"
          className={iconButtonClass}
          aria-label={t('mining.records')}
          title={t('mining.records')}
        >
          <ClipboardList size={20} />
        </Link>
      }
      above={list.rows.length > 0 && <FundHead />}
      list={list}
      estimate={4}
      row={(fund) => <FundRow fund={fund} />}
      empty={
        <EmptyState
          icon={<PiggyBank size={24} />}
          title={t('mining.empty')}
          action={<Button onClick={list.refresh}>{t('common.refresh')}</Button>}
        >
          {t('mining.emptyHint')}
        </EmptyState>
      }
    />
  );
}
