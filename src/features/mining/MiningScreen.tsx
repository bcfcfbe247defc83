import { ClipboardList, PiggyBank } from 'lucide-react';
import { useRef } from 'react';
import { gateway } from '../../gateway/client';
import { useT } from '../../i18n/i18n';
import { InfiniteList } from '../../requests/InfiniteList';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { Button, iconButtonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { RowSkeleton } from '../../ui/RowSkeleton';
import { Screen } from '../../ui/Screen';
import { EmptyState } from '../../ui/State';
import { FundHead, FundRow } from './FundRow';

/** `/mining` (screens.md#mining): the available funds. */
export function MiningScreen() {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useInfiniteList(['funds'], (page) => gateway.funds(page), 'anyone');
  return (
    <Screen
      back
      title={t('mining.title')}
      scroller={scroller}
      onRefresh={list.refresh}
      wide
      actions={
        <Link
          to="/mining/record"
          className={iconButtonClass}
          aria-label={t('mining.records')}
          title={t('mining.records')}
        >
          <ClipboardList size={20} aria-hidden="true" />
        </Link>
      }
    >
      {list.rows.length > 0 && <FundHead />}
      <InfiniteList
        label={t('mining.title')}
        list={list}
        scroller={scroller}
        estimate={4}
        row={(fund) => <FundRow fund={fund} />}
        skeleton={<RowSkeleton />}
        empty={
          <EmptyState
            icon={<PiggyBank size={24} aria-hidden="true" />}
            title={t('mining.empty')}
            action={<Button onClick={list.refresh}>{t('common.refresh')}</Button>}
          >
            {t('mining.emptyHint')}
          </EmptyState>
        }
      />
    </Screen>
  );
}
