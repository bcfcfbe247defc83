import { Newspaper } from 'lucide-react';
import type { AskOptions } from '#domain/worker/workerApi';
import { useT } from '../../i18n/i18n';
import { ListScreen } from '../../requests/ListScreen';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import { NewsRow, NewsRowSkeleton } from './NewsRow';

const ask = (page: number, options?: AskOptions) =>
  api('news.newsList', { category_id: 1, page }, options);

/** `/news`: an infinite list, newest first. */
export function NewsScreen() {
  const t = useT();
  const list = useInfiniteList(['news'], ask, 'anyone', () => ask(1, { cached: true }));
  return (
    <ListScreen
      back
      title={t('news.title')}
      list={list}
      estimate={6}
      row={(item) => <NewsRow item={item} />}
      skeleton={<NewsRowSkeleton />}
      empty={
        <EmptyState
          icon={<Newspaper size={24} />}
          title={t('news.empty')}
          action={<Button onClick={list.refresh}>{t('common.refresh')}</Button>}
        >
          {t('news.emptyHint')}
        </EmptyState>
      }
    />
  );
}
