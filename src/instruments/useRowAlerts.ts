import { useEffect } from 'react';
import { openAlertForm } from '../alerts/alertWish';
import type { ListView } from './listView';

/** A finger held on a row, the other button of a mouse or the menu key sets an alert on its price (screens.md#alerts). */
export function useRowAlerts(view: ListView): void {
  useEffect(() => {
    const open = (event: Event) => {
      const row = view.rowOf(event.target)?.row;
      if (!row || row.heading) return;
      event.preventDefault();
      openAlertForm(row.instrument.code);
    };
    view.element.addEventListener('contextmenu', open);
    return () => view.element.removeEventListener('contextmenu', open);
  }, [view]);
}
