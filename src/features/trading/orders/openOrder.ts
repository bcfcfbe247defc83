import type { Order } from '#domain/trading/order';
import type { AmendForm } from '../amend/useAmendment';

/** `half`: the end, of a half of the lots. */
export type OrderView = 'fields' | 'amend' | 'exits' | 'end' | 'half' | 'reverse';

/** Opens an order, by default at its fields. */
export type OpenOrder = (order: Order, view?: OrderView, edits?: Partial<AmendForm>) => void;
