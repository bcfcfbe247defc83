import { useId } from 'react';
import {
  type LayoutId,
  layoutNameProblem,
  MAX_LAYOUT_NAME,
  type OwnId,
} from '#domain/workspace/layouts';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { ButtonPair } from '../../ui/ButtonPair';
import { NameForm } from '../../ui/NameForm';
import { Sheet } from '../../ui/Sheet';
import { showToastHere } from '../../ui/toastStore';
import { useValue } from '../../useValue';
import styles from './LayoutNameSheet.module.css';
import { SHIPPED_LAYOUTS } from './shipped';
import { addLayout, layout, layouts, renameLayout } from './store';

export type Naming = { kind: 'add' } | { kind: 'rename' | 'delete'; id: OwnId };

interface LayoutNameSheetProps {
  naming: Naming | undefined;
  nameOf(id: LayoutId): string;
  onClose(): void;
  onDelete(id: OwnId): void;
}

/** Asks for the name of a layout, or whether to delete one. */
export function LayoutNameSheet({ naming, nameOf, onClose, onDelete }: LayoutNameSheetProps) {
  const t = useT();
  const question = useId();
  const titles = {
    add: t('workspace.saveAs'),
    rename: t('workspace.rename'),
    delete: t('workspace.delete'),
  };
  return (
    <Sheet
      open={naming !== undefined}
      onClose={onClose}
      title={naming ? titles[naming.kind] : ''}
      describedBy={naming?.kind === 'delete' ? question : undefined}
    >
      {naming?.kind === 'delete' ? (
        <div className={styles.form}>
          <p id={question}>
            <bdi>{t('workspace.deleteAsk', { name: nameOf(naming.id) })}</bdi>
          </p>
          <ButtonPair>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button
              variant="primary"
              onClick={() => {
                onDelete(naming.id);
                onClose();
              }}
            >
              {t('workspace.delete')}
            </Button>
          </ButtonPair>
        </div>
      ) : (
        naming && <LayoutName key={naming.kind} naming={naming} nameOf={nameOf} onDone={onClose} />
      )}
    </Sheet>
  );
}

interface LayoutNameProps {
  naming: Naming;
  nameOf(id: LayoutId): string;
  onDone(): void;
}

function LayoutName({ naming, nameOf, onDone }: LayoutNameProps) {
  const t = useT();
  const { own } = useValue(layouts);
  const renamed = naming.kind === 'rename' ? naming.id : undefined;
  const others = [...SHIPPED_LAYOUTS, ...own.map(({ id }) => id)].filter((id) => id !== renamed);
  return (
    <NameForm
      className={styles.form}
      label={t('workspace.name')}
      max={MAX_LAYOUT_NAME}
      name={renamed ? nameOf(renamed) : ''}
      save={t('wallet.methods.save')}
      problemOf={(name) => layoutNameProblem(name, others.map(nameOf))}
      onSave={(name) => {
        if (renamed) renameLayout(renamed, name);
        else if (!addLayout(name, layout.peek())) {
          showToastHere(t('workspace.problem.full'), 'error');
        }
        onDone();
      }}
      onCancel={onDone}
    />
  );
}
