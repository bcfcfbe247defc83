import { Newspaper } from 'lucide-react';
import { useState } from 'react';
import type { NewsItem } from '#domain/api/news';
import type { AskOptions } from '#domain/worker/workerApi';
import { formatDate } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { ListScreen } from '../../requests/ListScreen';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { Button } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { tappable } from '../../ui/Row';
import { Skeleton } from '../../ui/Skeleton';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import styles from './NewsRow.module.css';

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

/** An article in the list: title, description, date and picture, where it has them. */
function NewsRow({ item }: { item: NewsItem }) {
  const [broken, setBroken] = useState(false);
  const { id, title, desc, logo, createdAt } = item;
  return (
    <Link to={`/news/detail?id=${id}`} className={tappable(styles.row)}>
      <span className={styles.words}>
        <span className={styles.title} dir="auto">
          {title}
        </span>
        {desc && (
          <span className={styles.desc} dir="auto">
            {desc}
          </span>
        )}
        {createdAt !== undefined && (
          <time className="caption" dateTime={new Date(createdAt).toISOString()}>
            {formatDate(createdAt)}
          </time>
        )}
      </span>
      {logo && !broken && (
        <img
          className={styles.picture}
          src={logo}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
    </Link>
  );
}

function NewsRowSkeleton() {
  return (
    <div className={tappable(styles.row)}>
      <span className={styles.words}>
        <Skeleton width={15} height={1} />
        <Skeleton width={18} />
        <Skeleton width={5} />
      </span>
    </div>
  );
}
