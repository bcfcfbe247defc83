import { Trophy } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Trader } from '#domain/api/ranking';
import { useT } from '../../i18n/i18n';
import { ListScreen } from '../../requests/ListScreen';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { Sheet } from '../../ui/Sheet';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import { CopyCard } from './CopyCard';
import { RankHead, RankRow } from './RankRow';
import styles from './RankScreen.module.css';

/** `/rank` (screens.md#ranking): the ranking of traders, and traders to copy. */
export function RankScreen() {
  const t = useT();
  const [query] = useSearchParams();
  const tab = query.get('tab') === 'documentary' ? 'documentary' : 'ranking';
  const list = useInfiniteList(
    ['traders'],
    (page) => api('ranking.traderList', { page }),
    'anyone',
  );
  const [tapped, setTapped] = useState<Trader>();
  const [isOpen, setOpen] = useState(false);
  const tap = (trader: Trader) => {
    setTapped(trader);
    setOpen(true);
  };
  const close = () => setOpen(false);

  return (
    <ListScreen
      wide
      title={t(`common.tab.${tab}`)}
      above={
        <>
          {tab === 'documentary' && <p className={styles.past}>{t('ranking.coming')}</p>}
          {list.rows.some(({ computedOrders }) => computedOrders > 0) && (
            <p className={styles.past}>{t('ranking.past')}</p>
          )}
          {tab === 'ranking' && list.rows.length > 0 && <RankHead />}
        </>
      }
      listKey={tab}
      list={list}
      estimate={tab === 'ranking' ? 4.75 : 9}
      row={(trader, index) =>
        tab === 'ranking' ? (
          <RankRow trader={trader} rank={index + 1} onTap={tap} />
        ) : (
          <CopyCard trader={trader} onTap={tap} />
        )
      }
      empty={
        <EmptyState
          icon={<Trophy size={24} />}
          title={t('ranking.empty')}
          action={<ButtonLink to="/trade">{t('common.tab.trading')}</ButtonLink>}
        >
          {t('ranking.emptyHint')}
        </EmptyState>
      }
    >
      <Sheet
        open={isOpen}
        onClose={close}
        title={t('common.comingSoon')}
        foot={
          <Button variant="primary" wide onClick={close}>
            {t('common.ok')}
          </Button>
        }
      >
        <p className={styles.soon}>{t('ranking.soon', { name: tapped?.name ?? '' })}</p>
      </Sheet>
    </ListScreen>
  );
}
