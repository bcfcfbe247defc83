import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { failureText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { IconButton } from './Button';
import styles from './ToastHost.module.css';
import { type ToastMessage, toasts } from './toasts';

const SHOWN = 4_000;
/** Failures take longer to read. */
const ERROR_SHOWN = 8_000;

export default function ToastHost({ waiting }: { waiting: readonly ToastMessage[] }) {
  return (
    <CSPProvider disableStyleElements>
      <Toast.Provider limit={3}>
        <ToastList waiting={waiting} />
      </Toast.Provider>
    </CSPProvider>
  );
}

function ToastList({ waiting }: { waiting: readonly ToastMessage[] }) {
  const t = useT();
  const manager = Toast.useToastManager();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the manager is a new object with each toast
  useEffect(() => {
    if (waiting.length === 0) return;
    for (const { text, tone } of waiting) {
      const title = typeof text === 'string' ? text : failureText(text);
      if (!title) continue;
      manager.add({
        title,
        type: tone,
        priority: tone === 'error' ? 'high' : 'low',
        timeout: tone === 'error' ? ERROR_SHOWN : SHOWN,
      });
    }
    toasts.value = toasts.value.filter((toast) => !waiting.includes(toast));
  }, [waiting]);

  return (
    <Toast.Portal>
      <Toast.Viewport className={styles.viewport}>
        {manager.toasts.map((toast) => (
          <Toast.Root
            key={toast.id}
            toast={toast}
            className={styles.toast}
            swipeDirection={['up', 'left', 'right']}
          >
            <Toast.Content className={styles.content}>
              {/* The title is the accessible name of the toast's dialog. */}
              <Toast.Title className={styles.text} render={<p />} />
              <Toast.Close
                className={styles.close}
                render={<IconButton label={t('common.close')} />}
              >
                <X size={16} aria-hidden="true" />
              </Toast.Close>
            </Toast.Content>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
