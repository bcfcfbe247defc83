import { type ComponentProps, lazy, Suspense } from 'react';
import styles from './QrBox.module.css';

const QrCode = lazy(() => import('./QrCode'));

/** A QR code whose place is kept until its code is loaded. */
export function QrBox(props: ComponentProps<typeof QrCode>) {
  return (
    <div className={styles.box}>
      <Suspense>
        <QrCode {...props} />
      </Suspense>
    </div>
  );
}
