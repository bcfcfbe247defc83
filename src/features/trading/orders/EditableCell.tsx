import { type KeyboardEvent, type MouseEvent, use, useEffect, useRef } from 'react';
import type { Order } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import { CellEditor, preloadEditor } from '../amend/lazyParts';
import type { CellTerm } from '../amend/useAmendment';
import { type ColumnName, cellText } from './columns';
import styles from './EditableCell.module.css';
import { CellEditingContext } from './editedCell';

interface EditableCellProps {
  order: Order;
  column: ColumnName;
  terms: readonly CellTerm[];
  /** Of the column. */
  label: string;
}

/**
 * What a cell shows that can be edited in its place: by a double click, F2 or Enter, one click only takes the focus. A finger opens
 * the row's sheet, as it does elsewhere in the row.
 */
export function EditableCell({ order, column, terms, label }: EditableCellProps) {
  const t = useT();
  const editing = use(CellEditingContext);
  const place = useRef<HTMLDivElement>(null);
  const focus = useRef(false);
  /** Of the press: a click says it only from Firefox 129 and Safari 18.2 on. */
  const pressedBy = useRef('');
  const cell = { id: order.id, column };
  const edited = editing?.edited?.id === order.id && editing.edited.column === column;
  // A row that is scrolled out of sight is not edited any more: coming back, it would take the focus.
  const end = useRef<() => void>(undefined);
  useEffect(() => {
    end.current = edited ? () => editing?.done(cell) : undefined;
  });
  useEffect(() => {
    const element = place.current;
    return () =>
      queueMicrotask(() => {
        if (!element?.isConnected) end.current?.();
      });
  }, []);
  if (!editing) return cellText(column, order);

  const { blocked, amends, edit, done, onOpen } = editing;
  const begin = () => {
    if (blocked === undefined) edit(cell);
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    // A key's click has no detail.
    if (pressedBy.current === 'touch' && event.detail > 0) return;
    event.stopPropagation();
    if (event.detail !== 1) begin();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'F2') return;
    event.preventDefault();
    begin();
  };
  return (
    <div ref={place} className={styles.place}>
      <button
        ref={(button) => {
          if (!button || edited || !focus.current) return;
          focus.current = false;
          button.focus({ preventScroll: true });
        }}
        type="button"
        className={styles.button}
        aria-disabled={blocked !== undefined}
        title={blocked ?? t('orders.editHint')}
        inert={edited}
        onFocus={preloadEditor}
        onPointerDown={({ pointerType }) => {
          pressedBy.current = pointerType;
        }}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <span className="visually-hidden">{`${label} `}</span>
        {cellText(column, order)}
      </button>
      {edited && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: it only keeps clicks from the row
        // biome-ignore lint/a11y/noStaticElementInteractions: as above
        <div className={styles.editor} onClick={(event) => event.stopPropagation()}>
          <CellEditor
            order={order}
            terms={terms}
            amends={amends && order.status === 'pending'}
            onOpen={onOpen}
            onDone={(takesFocus) => {
              focus.current = takesFocus;
              done(cell);
            }}
          />
        </div>
      )}
    </div>
  );
}
