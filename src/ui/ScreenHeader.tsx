import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useT } from '../i18n/i18n';
import { IconButton } from './Button';
import { Embedded } from './embedded';
import styles from './ScreenHeader.module.css';
import { entryState } from './sheetHistory';

interface ScreenHeaderProps {
  title: string;
  /** Replaces the visible title, which stays for screen readers: a search field. */
  field?: ReactNode;
  /** Shows the back button. */
  back?: boolean;
  /** Icons at the end of the line. */
  children?: ReactNode;
}

/** Title bar of a screen. */
export function ScreenHeader({ title, field, back: asked, children }: ScreenHeaderProps) {
  const t = useT();
  const goBack = useGoBack();
  const panel = useContext(Embedded) === 'root';
  const back = asked && !panel;
  return (
    <header className={styles.header} data-back={back || undefined}>
      {back && (
        <IconButton label={t('common.back')} onClick={goBack}>
          <ArrowLeft size={20} className={styles.arrow} />
        </IconButton>
      )}
      <h1 className={field || panel ? 'visually-hidden' : styles.title}>{title}</h1>
      {field && <div className={styles.title}>{field}</div>}
      {children}
    </header>
  );
}

/**
 * Goes back within the app, or where the app was opened at this screen, to the path above it. Shell
 * knows that path where it is no screen.
 */
export function useGoBack(): () => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const panel = useContext(Embedded);
  return () => {
    if (panel) return void navigate(-1);
    const { idx, sheets = 0 } = entryState();
    // An open sheet has an entry of its own, which is no screen to go back to.
    if ((idx ?? 0) > sheets) navigate(-1);
    else navigate(pathname.replace(/\/[^/]*$/, '') || '/', { replace: true });
  };
}
