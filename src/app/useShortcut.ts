import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';

/** Ctrl or ⌘ and K begins a search, as on every desktop. A key alone would take it from who dictates (WCAG 2.1.4). */
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
