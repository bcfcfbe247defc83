import { useLayoutEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { NewsArticle } from '#domain/api/news';
import { type Failure, success } from '#domain/core/result';
import { failureText } from '../../i18n/failure';
import { formatDateTime } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { FailedRequest } from '../../requests/FailedRequest';
import { NotRefreshed } from '../../requests/NotRefreshed';
import { useRequest } from '../../requests/queries';
import { ButtonLink } from '../../ui/ButtonLink';
import { Page } from '../../ui/Page';
import { Skeleton } from '../../ui/Skeleton';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import { workerApi } from '../../worker/workerApi';
import { cleanHtml } from './cleanHtml';
import styles from './NewsArticle.module.css';

/** `/news/detail?id=` (screens.md#news-article): one article. */
export function NewsArticleScreen() {
  const t = useT();
  const [query] = useSearchParams();
  const id = Number(query.get('id'));
  const known = Number.isSafeInteger(id) && id > 0;
  const article = useRequest(['article', id], (first) => api('news.newsArticle', { id }, first), {
    scope: 'anyone',
    enabled: known,
    cached: () => api('news.newsArticle', { id }, { cached: true }),
  });
  const server = useRequest(['server'], async () => success(await workerApi.serverOrigin()), {
    scope: 'anyone',
  });
  return (
    <Page title={t('news.article')} className={styles.page} reading>
      {!known && <NoArticle title={t('news.unknown')} />}
      {article.failure && article.data && <NotRefreshed onRetry={article.refetch} />}
      {article.failure && !article.data && (
        <NotLoaded failure={article.failure} onRetry={article.refetch} />
      )}
      {known && !article.data && !article.failure && <ArticleSkeleton />}
      {article.data && server.data && <Article article={article.data} serverOrigin={server.data} />}
    </Page>
  );
}

/** What the server has refused is refused again, so that another article is offered instead. */
function NotLoaded({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  if (failure.kind === 'refused') return <NoArticle title={failureText(failure) ?? ''} />;
  return <FailedRequest failure={failure} onRetry={onRetry} />;
}

function NoArticle({ title }: { title: string }) {
  const t = useT();
  return <EmptyState title={title} action={<ButtonLink to="/news">{t('news.all')}</ButtonLink>} />;
}

function Article({ article, serverOrigin }: { article: NewsArticle; serverOrigin: string }) {
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    content.current?.replaceChildren(cleanHtml(article.content, serverOrigin));
  }, [article.content, serverOrigin]);
  return (
    <article className={styles.article}>
      <h2 className={styles.title} dir="auto">
        {article.title}
      </h2>
      {article.createdAt !== undefined && (
        <time className="caption" dateTime={new Date(article.createdAt).toISOString()}>
          {formatDateTime(article.createdAt)}
        </time>
      )}
      <div ref={content} className={styles.content} dir="auto" />
    </article>
  );
}

function ArticleSkeleton() {
  return (
    <div className={styles.article} aria-hidden="true">
      <Skeleton width={18} height={1.5} />
      <Skeleton width={8} />
      {[20, 19, 18, 12].map((width) => (
        <Skeleton key={width.toString()} width={width} />
      ))}
    </div>
  );
}
