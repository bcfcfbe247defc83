import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { language, t } from '../i18n/i18n';
import { keyed, useActions } from '../shortcuts/actions';
import { isFree, keyCharacter, keyName } from '../shortcuts/press';
import { keyboardShown } from '../shortcuts/shown';
import { useValue } from '../useValue';
import { MORE, TABS } from './tabs';

/** Screens that no bar leads to. */
const OTHERS = [
  { to: '/product', label: 'market.search' },
  { to: '/language', label: 'language.title' },
  { to: '/alerts', label: 'alerts.title' },
  { to: '/mine/results', label: 'results.title' },
] as const;

/**
 * Runs the action of a key (screens.md#keyboard), and opens the palette by Ctrl+K or ⌘K. Single keys can
 * be changed and taken away, because they conflict with speech input (WCAG 2.1.4).
 */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const shown = useValue(language);
  useActions(`screens ${shown}`, () => [
    {
      id: 'keys',
      text: () => t('keys.title'),
      key: '?',
      run: () => {
        keyboardShown.value = 'keys';
      },
    },
    // To what is coming only its tab leads.
    ...[...TABS.slice(1), ...MORE, ...OTHERS].map(({ to, label }) => ({
      id: `screen ${to}`,
      text: () => t('keys.screen', { name: t(label) }),
      run: () => void navigate(to),
    })),
  ]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (keyCharacter(event) === 'k' && (event.ctrlKey || event.metaKey)) {
        const inDialog = (event.target as Element).closest('dialog, [role="dialog"]');
        if (inDialog || event.shiftKey || event.altKey) return;
        event.preventDefault();
        keyboardShown.value = 'palette';
        return;
      }
      const key = keyName(event);
      const action = key === undefined || !isFree(event) ? undefined : keyed.peek().get(key);
      if (!action) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
