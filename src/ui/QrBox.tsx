import type { ComponentProps } from 'react';
import { lazyPart } from './lazyPart';
import styles from './QrBox.module.css';

const QrCode = lazyPart(() => import('./QrCode'));

/** A QR code whose place is kept until its code is loaded. */
export function QrBox(props: ComponentProps<typeof QrCode>) {
  return (
    <div className={styles.box}>
      <QrCode {...props} />
    </div>
  );
}
