import { useState } from 'react';
import type { NewsItem } from '#domain/api/news';
import { formatDate } from '../../i18n/format';
import { Link } from '../../ui/Link';
import { tappable } from '../../ui/Row';
import { Skeleton } from '../../ui/Skeleton';
import styles from './NewsRow.module.css';

/** An article in the list: title, description, date and picture, where it has them. */
export function NewsRow({ item }: { item: NewsItem }) {
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
          <time className={styles.date} dateTime={new Date(createdAt).toISOString()}>
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

export function NewsRowSkeleton() {
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
