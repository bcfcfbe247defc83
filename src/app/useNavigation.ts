import { effect } from '@preact/signals-react';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { useT } from '../i18n/i18n';
import { focusScreen } from '../ui/focusScreen';
import { pageTitle, unseen } from '../ui/pageTitle';
import { isSameScreen } from '../ui/sameScreen';
import { connectionLive } from '../worker/frameReceiver';
import { workerApi } from '../worker/workerApi';
import { type AppRoute, titleOf } from './routes';

/** The title in index.html; a server may set it (screens.md#variants). */
export const site = document.title;

/** The user is there, and expects prices. */
const TOUCHES = ['pointerdown', 'keydown'];

/**
 * Runs on every navigation (screens.md#routing): makes sure that the socket is connected, refreshes
 * the list where the route says so, sets title and focus. Returns the route's title.
 */
export function useNavigation(route: AppRoute | undefined): string | undefined {
  const t = useT();
  const { pathname, search, key, state } = useLocation();
  const completes = useNavigationType() === 'REPLACE' && isSameScreen(state);

  // At its start the worker fetches the list for the screen that the app opens at.
  const started = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation to the same route counts as well
  useEffect(() => {
    void workerApi.retryNow();
    if (started.current && route?.refreshesList && !completes) void workerApi.refreshList();
    started.current = true;
  }, [route, key]);

  useEffect(() => {
    const touched = () => {
      if (!connectionLive.peek()) void workerApi.retryNow();
    };
    for (const type of TOUCHES) addEventListener(type, touched);
    return () => {
      for (const type of TOUCHES) removeEventListener(type, touched);
    };
  }, []);

  const title = route && t(titleOf(route, search));
  useEffect(
    () =>
      effect(() => {
        const screen = pageTitle.value ?? title;
        const text = screen ? `${screen} · ${site}` : site;
        document.title = unseen.value > 0 ? `(${unseen.value}) ${text}` : text;
      }),
    [title],
  );

  // Move the focus to the new screen, so that screen readers say its name and start at its top. Where
  // the screen before has it, as at a redirect, it comes again.
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const main = document.querySelector('main');
    if (document.activeElement === main) main?.blur();
    const { activeElement } = document;
    // What a hidden <Activity> holds keeps the focus until the browser looks.
    if (!main?.contains(activeElement) || activeElement?.closest('[style*="display: none"]'))
      focusScreen();
  }, [pathname]);
  return title;
}
