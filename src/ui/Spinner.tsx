import { LoaderCircle } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useT } from '../i18n/i18n';
import styles from './Spinner.module.css';

/** A modal dialog, so that the browser keeps pointer and keyboard away from the page. */
export default function Spinner() {
  const t = useT();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.spinner}
      aria-label={t('common.loading')}
      onCancel={(event) => event.preventDefault()}
    >
      <LoaderCircle size={32} className={styles.circle} />
    </dialog>
  );
}
