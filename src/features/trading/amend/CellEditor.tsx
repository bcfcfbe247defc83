import { pick } from '#domain/core/pick';
import type { ListRow } from '#domain/market/list';
import type { Order } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import { formatNumberInput } from '../../../i18n/numberInput';
import type { ExitEntry, ExitKind } from '../../../positions/exitEntry';
import { useExits } from '../../../positions/useExits';
import { useRow } from '../../../worker/useRow';
import type { OpenOrder } from '../orders/openOrder';
import { CellFields } from './CellFields';
import { type AmendForm, type CellTerm, useAmendment } from './useAmendment';

export interface CellEditorProps {
  order: Order;
  terms: readonly CellTerm[];
  /** By an amendment of a pending order; otherwise its exits alone are set. */
  amends: boolean;
  onOpen: OpenOrder;
  /** `focus`: the cell takes it. */
  onDone(focus: boolean): void;
}

/** Edits terms of an order in their cell, by what its sheet does (screens.md#orders). */
export function CellEditor({ amends, ...props }: CellEditorProps) {
  const row = useRow(props.order.code);
  if (!row) return null;
  const listed = row.instrument.id === props.order.instrumentId;
  return amends && listed ? <AmendedCell {...props} row={row} /> : <ExitsCell {...props} />;
}

/** Each can be wrong because of another, whose cell is the one that is edited. */
const TERMS = ['target', 'lots', 'stopLoss', 'takeProfit', 'expiry'] as const;
const EXITS = ['stopLoss', 'takeProfit'] as const;

type CellProps = Omit<CellEditorProps, 'amends'>;

function AmendedCell({ order, terms, row, onOpen, onDone }: CellProps & { row: ListRow }) {
  const t = useT();
  const amendment = useAmendment(order, row);
  const { form, change, errorOf, note } = amendment;
  const plain = (term: 'lots' | 'target') => ({
    label: t(term === 'lots' ? 'orders.field.lots' : 'orders.field.originPrice'),
    text: form[term],
    onChange: (text: string) => change({ [term]: text }),
  });
  const exitField = useExitField(change);
  return (
    <CellFields
      {...amendment}
      fields={terms.map((term) => ({
        ...(isExit(term) ? exitField(term, form[term]) : plain(term)),
        error: errorOf(term),
      }))}
      note={TERMS.map(errorOf).find(Boolean) ?? note}
      onAsk={() => onOpen(order, 'amend', pick(form, terms))}
      onDone={onDone}
    />
  );
}

function ExitsCell({ order, terms, onOpen, onDone }: CellProps) {
  const exits = useExits(order);
  const { entries, change, errorOf, note } = exits;
  const shown = terms.filter(isExit);
  const exitField = useExitField(change);
  return (
    <CellFields
      {...exits}
      blocked={undefined}
      fields={shown.map((kind) => ({ ...exitField(kind, entries[kind]), error: errorOf(kind) }))}
      note={EXITS.map(errorOf).find(Boolean) ?? note}
      onAsk={() => onOpen(order, 'exits', pick(entries, shown))}
      onDone={onDone}
    />
  );
}

/**
 * The field of an exit: its price, or its distance where it follows the price. An empty one takes it off, not the fixed
 * stop-loss that an order has besides.
 */
function useExitField(change: (exits: Partial<AmendForm>) => void) {
  const t = useT();
  return (kind: ExitKind, entry: ExitEntry) => {
    const { trailing, fixed } = entry;
    return {
      label: t(trailing || fixed ? 'exits.distance' : `exits.${kind}`),
      // The text of an emptied distance is the fixed price.
      text: fixed && !trailing ? '' : entry.text,
      onChange(text: string) {
        const on = text.trim() !== '';
        const typed: ExitEntry = { ...entry, on, text, ...(fixed && { trailing: true }) };
        const left = !on && fixed && { text: formatNumberInput(fixed.price), trailing: false };
        change({ [kind]: left ? { ...entry, ...left } : typed });
      },
    };
  };
}

function isExit(term: CellTerm): term is ExitKind {
  return term === 'stopLoss' || term === 'takeProfit';
}
