import { Newspaper } from 'lucide-react';
import { useRef } from 'react';
import { gateway } from '../../gateway/client';
import { useT } from '../../i18n/i18n';
import { InfiniteList } from '../../requests/InfiniteList';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { Button } from '../../ui/Button';
import { Screen } from '../../ui/Screen';
import { EmptyState } from '../../ui/State';
import { NewsRow, NewsRowSkeleton } from './NewsRow';

/** `/news` (screens.md#news): an infinite list, newest first. */
export function NewsScreen() {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useInfiniteList(['news'], (page) => gateway.news(page), 'anyone');
  return (
    <Screen back title={t('news.title')} scroller={scroller} onRefresh={list.refresh}>
      <InfiniteList
        label={t('news.title')}
        list={list}
        scroller={scroller}
        estimate={6}
        row={(item) => <NewsRow item={item} />}
        skeleton={<NewsRowSkeleton />}
        empty={
          <EmptyState
            icon={<Newspaper size={24} aria-hidden="true" />}
            title={t('news.empty')}
            action={<Button onClick={list.refresh}>{t('common.refresh')}</Button>}
          >
            {t('news.emptyHint')}
          </EmptyState>
        }
      />
    </Screen>
  );
}
