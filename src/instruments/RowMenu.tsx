import { useEffect, useState } from 'react';
import type { Side } from '#domain/trading/order';
import { openAlertForm } from '../alerts/alertWish';
import { useT } from '../i18n/i18n';
import { favourites, toggleFavourite } from '../preferences/preferences';
import { PopMenu } from '../ui/PopMenu';
import { watchHolds } from '../ui/watchHolds';
import { useValue } from '../useValue';
import type { SeenRow } from './lastSeen';
import type { ListView } from './listView';
import { proposal } from './proposal';

/** What can be done with an instrument without leaving the list first; opened by a hold of its row (screens.md#home). */
export function RowMenu({ view, onPick }: { view: ListView; onPick(row: SeenRow): void }) {
  const t = useT();
  const stars = useValue(favourites);
  const [held, setHeld] = useState<{ row: SeenRow; anchor: Element }>();
  useEffect(() => {
    const end = watchHolds(view.element, (target) => {
      const { row, element } = view.rowOf(target) ?? {};
      const { activeElement } = document;
      // The focus returns to the cell that has it.
      const anchor = element?.contains(activeElement)
        ? activeElement
        : element?.querySelector('[data-act=pick]');
      if (row && anchor && !row.heading) setHeld({ row, anchor });
    });
    return () => {
      end();
      setHeld(undefined);
    };
  }, [view]);
  const order = (row: SeenRow, side: Side) => {
    onPick(row);
    proposal.value = { code: row.instrument.code, side };
  };
  const itemsOf = (row: SeenRow) => {
    const { id, code, name } = row.instrument;
    return [
      { text: t('trade.buy'), onSelect: () => order(row, 'buy') },
      { text: t('trade.sell'), onSelect: () => order(row, 'sell') },
      'line' as const,
      { text: t('alerts.new', { name }), onSelect: () => openAlertForm(code) },
      {
        text: t('market.favourite', { name }),
        checked: stars.includes(id),
        closes: true,
        onSelect: () => toggleFavourite(id),
      },
    ];
  };
  return (
    <PopMenu
      anchor={held?.anchor}
      label={held?.row.instrument.name ?? ''}
      items={held ? itemsOf(held.row) : []}
      onClose={() => setHeld(undefined)}
    />
  );
}
