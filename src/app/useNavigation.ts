import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { gateway } from '../gateway/client';
import { useT } from '../i18n/i18n';
import type { AppRoute } from './routes';

/** The page's own title: what this is, or that it is a demo (screens.md#variants). */
const site = document.title;

/** What every navigation does (screens.md#routing): the socket is made sure of, the list refreshed where the table says so. */
export function useNavigation(route: AppRoute | undefined): void {
  const t = useT();
  const { pathname, key } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation counts, also to where one is
  useEffect(() => {
    void gateway.ensureConnected();
    if (route?.refreshesList) void gateway.refreshList();
  }, [route, key]);

  const title = route ? `${t(route.title)} · ${site}` : site;
  useEffect(() => {
    document.title = title;
  }, [title]);

  // Who listens instead of looks begins at the top of the new screen.
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const main = document.querySelector('main');
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  }, [pathname]);
}
