import { createContext, useMemo, useState } from 'react';
import type { Order } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import { useFeature } from '../../../requests/accountSettings';
import { useValue } from '../../../useValue';
import { connectionLive, connectionState } from '../../../worker/frameReceiver';
import type { CellTerm } from '../amend/useAmendment';
import type { ColumnName } from './columns';
import type { OpenOrder } from './openOrder';

interface Cell {
  id: number;
  column: ColumnName;
}

export interface CellEditing {
  /** The cell that is edited: one at a time, because the worker previews one change. */
  edited: Cell | undefined;
  edit(cell: Cell): void;
  /** Ends it, unless another one is edited by now. */
  done(cell: Cell): void;
  /** Why nothing can be changed now. */
  blocked: string | undefined;
  /** The server can amend pending orders. */
  amends: boolean;
  /** Opens the sheet of an order. */
  onOpen: OpenOrder;
}

/** For the cells of a table; undefined: they can't be edited. */
export const CellEditingContext = createContext<CellEditing | undefined>(undefined);

export function useCellEditing(onOpen: OpenOrder): CellEditing {
  const t = useT();
  const [edited, setEdited] = useState<Cell>();
  const amends = useFeature('amend');
  const live = useValue(connectionLive);
  const { state } = useValue(connectionState);
  const blocked = live ? undefined : t(`link.${state}`);
  return useMemo(
    () => ({
      edited,
      edit: setEdited,
      done: (cell) =>
        setEdited((now) => (now?.id === cell.id && now.column === cell.column ? undefined : now)),
      blocked,
      amends,
      onOpen,
    }),
    [edited, blocked, amends, onOpen],
  );
}

export const EXITS = ['stopLoss', 'takeProfit'] as const;

const TERMS: Partial<Record<ColumnName, readonly CellTerm[]>> = {
  lots: ['lots'],
  originPrice: ['target'],
  stopLoss: ['stopLoss'],
  takeProfit: ['takeProfit'],
  exits: EXITS,
};

/** The terms that can be edited in a cell; undefined: none. */
export function termsOfCell(
  column: ColumnName,
  { status }: Order,
  amends: boolean,
): readonly CellTerm[] | undefined {
  const terms = status === 'closed' ? undefined : TERMS[column];
  const isOfExits = terms?.every((term) => EXITS.some((exit) => exit === term));
  return isOfExits || (amends && status === 'pending') ? terms : undefined;
}
