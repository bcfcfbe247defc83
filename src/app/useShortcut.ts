import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';

/** Ctrl+K or ⌘K opens the search. A single key would conflict with speech input (WCAG 2.1.4). */
export function useShortcut(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const inDialog = (event.target as Element).closest('dialog, [role="dialog"]');
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || inDialog) return;
      event.preventDefault();
      void navigate('/product');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
}
