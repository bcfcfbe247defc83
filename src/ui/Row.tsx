import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes';
import { Link } from './Link';
import styles from './Row.module.css';

/** Classes of a custom row that is a link or button: focus, press and hover look as in a Row. */
export function tappable(row: string | undefined): string {
  return classes(row, styles.tappable);
}

interface RowProps {
  /** Content before the text: a logo or rank. */
  lead?: ReactNode;
  title: ReactNode;
  /** Below the title. */
  detail?: ReactNode;
  /** The figure at the end of the line. */
  figure?: ReactNode;
  /** Below the figure. */
  note?: ReactNode;
  /** The path that a tap leads to. */
  to?: string;
  onClick?(): void;
  /** Draws no line below, because the container draws its own. */
  plain?: boolean;
}

/** A row of a list: text at the start and figures at the end, each over two lines. */
export function Row({ lead, title, detail, figure, note, to, onClick, plain }: RowProps) {
  const content = (
    <>
      {lead}
      <span className={styles.texts}>
        <span className={styles.words}>
          <span className={styles.title}>{title}</span>
          {detail && <span className="caption">{detail}</span>}
        </span>
        {(figure || note) && (
          <span className={styles.figures}>
            <span className={styles.figure}>{figure}</span>
            {note && <span className="caption">{note}</span>}
          </span>
        )}
      </span>
    </>
  );
  const linkClass = classes(tappable(styles.row), plain && styles.plain);
  if (to !== undefined) {
    return (
      <Link to={to} className={linkClass}>
        {content}
        <ChevronRight size={16} className={styles.chevron} />
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
