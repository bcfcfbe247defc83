import { useRef } from 'react';
import type { Order } from '#domain/trading/order';
import { useT } from '../i18n/i18n';
import { CallButton } from '../requests/CallButton';
import { Button } from '../ui/Button';
import { ButtonPair } from '../ui/ButtonPair';
import { focusInvalid } from '../ui/focusInvalid';
import styles from './EditExits.module.css';
import { ExitField } from './ExitField';
import type { ExitKind } from './exitEntry';
import { type ExitEntries, useExits } from './useExits';

const KINDS: readonly ExitKind[] = ['stopLoss', 'takeProfit'];

interface EditExitsProps {
  order: Order;
  /** What the user has entered elsewhere: a line that was dragged, a cell of a table. */
  edits?: Partial<ExitEntries> | undefined;
  /** Called when the stops are saved or editing is cancelled. */
  onDone(): void;
}

/** Edits the exits of a pending order or position (domain.md#exits). */
export function EditExits({ order, edits, onDone }: EditExitsProps) {
  const t = useT();
  const exits = useExits(order, edits);
  const { entries, call } = exits;
  const fields = useRef<HTMLDivElement>(null);
  const save = async () => {
    if (!exits.check()) focusInvalid(fields);
    else if ((await exits.save())?.ok) onDone();
  };

  return (
    <div ref={fields} className={styles.edit}>
      {KINDS.map((kind) => (
        <ExitField
          key={kind}
          kind={kind}
          entry={entries[kind]}
          onChange={(entry) => exits.change({ [kind]: entry })}
          position={exits.position}
          stopAt={exits.stopAt}
          error={exits.errorOf(kind)}
        />
      ))}
      {exits.note && (
        <p className={styles.problem} role="alert">
          {exits.note}
        </p>
      )}
      <ButtonPair>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
        <CallButton
          call={call}
          label={t('exits.save')}
          variant="primary"
          onClick={() => void save()}
        />
      </ButtonPair>
    </div>
  );
}
