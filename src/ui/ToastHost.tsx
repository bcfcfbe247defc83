import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast } from '@base-ui/react/toast';
import { TriangleAlert, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { failureText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { IconButton } from './Button';
import { currentLocation } from './currentLocation';
import { passFocus } from './focusRefs';
import { Link } from './Link';
import styles from './ToastHost.module.css';
import { type ToastMessage, toasts } from './toastStore';
import { useReadyRegion } from './useReadyRegion';

const SHOWN = 4_000;
/** Failures take longer to read, links to reach. */
const LONG_SHOWN = 8_000;

export interface ToastHostProps {
  waiting: readonly ToastMessage[];
  /** Id of who is logged in. */
  user: number | undefined;
}

export default function ToastHost(props: ToastHostProps) {
  return (
    <CSPProvider disableStyleElements>
      <Toast.Provider limit={1}>
        <ToastList {...props} />
      </Toast.Provider>
    </CSPProvider>
  );
}

function ToastList({ waiting, user }: ToastHostProps) {
  const t = useT();
  const manager = Toast.useToastManager<Pick<ToastMessage, 'screen' | 'link' | 'action'>>();
  const { pathname } = useLocation();
  const ready = useReadyRegion();
  /** The toast of each failure, by its text. */
  const failures = useRef(new Map<string, string>());

  // biome-ignore lint/correctness/useExhaustiveDependencies: the manager is a new object with each toast
  useEffect(() => {
    if (!ready || waiting.length === 0) return;
    const added = waiting.flatMap((message) => {
      const { text, tone, screen, link, action } = message;
      const title = typeof text === 'string' ? text : failureText(text);
      if (!title || isOver(screen)) return [];
      return { ...message, title, shown: tone === 'error' || link || action ? LONG_SHOWN : SHOWN };
    });
    // The newest is shown first, and those below it when its time is over.
    let timeout = added.reduce((sum, { shown }) => sum + shown, 0);
    for (const { id, timeout: rest = SHOWN } of manager.toasts) {
      manager.update(id, { timeout: rest + timeout });
    }
    for (const { text, title, tone, screen, link, action, shown } of added) {
      const id = manager.add({
        title,
        type: tone,
        priority: tone === 'error' ? 'high' : 'low',
        timeout,
        data: {
          ...(screen !== undefined && { screen }),
          ...(link && { link }),
          ...(action && { action }),
        },
      });
      timeout -= shown;
      if (typeof text === 'string') continue;
      // The same failure again: a toast with its text would be changed in silence, a new one is announced.
      const former = failures.current.get(title);
      if (former !== undefined) manager.close(former);
      failures.current.set(title, id);
    }
    toasts.value = toasts.value.filter((toast) => !waiting.includes(toast));
  }, [waiting, ready]);

  const shown = manager.toasts.length > 0;
  useLayoutEffect(() => {
    document.body.toggleAttribute('data-toast', shown);
  }, [shown]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another screen ends a toast
  useEffect(() => {
    for (const { id, data } of manager.toasts) if (isOver(data?.screen)) manager.close(id);
  }, [pathname]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is offered to one user is not for the next
  useEffect(() => {
    for (const { id, data } of manager.toasts) if (data?.action) manager.close(id);
  }, [user]);

  return (
    <Toast.Portal>
      <Toast.Viewport
        className={styles.viewport}
        aria-label={t('common.notifications')}
        data-toasts
      >
        {manager.toasts.map((toast) => (
          <Toast.Root
            key={toast.id}
            ref={passFocus}
            toast={toast}
            className={styles.toast}
            data-tone={toast.type}
            swipeDirection={['up', 'left', 'right']}
          >
            <Toast.Content className={styles.content}>
              {toast.type === 'error' && <TriangleAlert size={16} />}
              {/* The title is the accessible name of the toast's dialog. */}
              <Toast.Title className={styles.text} render={<p />} />
              {toast.data?.link && (
                <Link
                  to={toast.data.link.to}
                  className={styles.link}
                  onClick={() => manager.close(toast.id)}
                >
                  {toast.data.link.text}
                </Link>
              )}
              {toast.data?.action && (
                <button
                  type="button"
                  className={styles.link}
                  onClick={() => {
                    manager.close(toast.id);
                    toast.data?.action?.run();
                  }}
                >
                  {toast.data.action.text}
                </button>
              )}
              <Toast.Close
                className={styles.close}
                render={<IconButton label={t('common.close')} />}
              >
                <X size={16} />
              </Toast.Close>
            </Toast.Content>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}

/** Whether the screen that a toast belongs to was left. */
function isOver(screen: string | undefined): boolean {
  return screen !== undefined && screen !== currentLocation().pathname;
}
