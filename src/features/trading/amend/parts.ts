/** What amends orders, as one file to load. */
export { AmendOrder } from './AmendOrder';
export { CellEditor } from './CellEditor';
