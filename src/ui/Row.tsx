import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes';
import { Link } from './Link';
import styles from './Row.module.css';

/** The classes of an own row that is a link or a button: focus, press and hover as a Row has them. */
export function tappable(row: string | undefined): string {
  return classes(row, styles.tappable);
}

interface RowProps {
  /** Before the words: a mark, a rank. */
  lead?: ReactNode;
  title: ReactNode;
  /** Below the title. */
  detail?: ReactNode;
  /** At the end of the line, aligned with those of other rows. */
  figure?: ReactNode;
  /** Below the figure. */
  note?: ReactNode;
  /** Where a tap leads: a path of the app. */
  to?: string;
  onClick?(): void;
  /** Without a line below: what holds it draws its own. */
  plain?: boolean;
}

/** One of a list: words at the start, figures at the end, each over two lines. */
export function Row({ lead, title, detail, figure, note, to, onClick, plain }: RowProps) {
  const content = (
    <>
      {lead}
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {detail && <span className={styles.detail}>{detail}</span>}
      </span>
      {(figure || note) && (
        <span className={styles.figures}>
          <span className={styles.figure}>{figure}</span>
          {note && <span className={styles.detail}>{note}</span>}
        </span>
      )}
    </>
  );
  const linkClass = classes(tappable(styles.row), plain && styles.plain);
  if (to !== undefined) {
    return (
      <Link to={to} className={linkClass}>
        {content}
        <ChevronRight size={16} className={styles.chevron} aria-hidden="true" />
      </Link>
    );
  }
  if (onClick) {
    return (
      <button type="button" className={linkClass} onClick={onClick}>
        {content}
      </button>
    );
  }
  return <div className={classes(styles.row, plain && styles.plain)}>{content}</div>;
}
