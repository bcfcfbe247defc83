import { type FormEvent, useState } from 'react';
import {
  type LayoutId,
  layoutNameProblem,
  MAX_LAYOUT_NAME,
  type OwnId,
} from '#domain/workspace/layouts';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { ButtonPair } from '../../ui/ButtonPair';
import { Sheet } from '../../ui/Sheet';
import { TextField } from '../../ui/TextField';
import { showToastHere } from '../../ui/toastStore';
import { useLastDefined } from '../../ui/useLastDefined';
import { useProblems } from '../../ui/useProblems';
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
  const shown = useLastDefined(naming);
  const titles = {
    add: t('workspace.saveAs'),
    rename: t('workspace.rename'),
    delete: t('workspace.delete'),
  };
  return (
    <Sheet open={naming !== undefined} onClose={onClose} title={shown ? titles[shown.kind] : ''}>
      {shown?.kind === 'delete' ? (
        <div className={styles.form}>
          <p>
            <bdi>{t('workspace.deleteAsk', { name: nameOf(shown.id) })}</bdi>
          </p>
          <ButtonPair>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button
              variant="primary"
              onClick={() => {
                onDelete(shown.id);
                onClose();
              }}
            >
              {t('workspace.delete')}
            </Button>
          </ButtonPair>
        </div>
      ) : (
        shown && <NameForm key={shown.kind} naming={shown} nameOf={nameOf} onDone={onClose} />
      )}
    </Sheet>
  );
}

interface NameFormProps {
  naming: Naming;
  nameOf(id: LayoutId): string;
  onDone(): void;
}

function NameForm({ naming, nameOf, onDone }: NameFormProps) {
  const t = useT();
  const check = useProblems<'name'>();
  const { own } = useValue(layouts);
  const renamed = naming.kind === 'rename' ? naming.id : undefined;
  const [name, setName] = useState(renamed ? nameOf(renamed) : '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const others = [...SHIPPED_LAYOUTS, ...own.map(({ id }) => id)]
      .filter((id) => id !== renamed)
      .map(nameOf);
    const message = layoutNameProblem(name, others);
    if (!check.passes(message && { field: 'name', message })) return;
    if (renamed) renameLayout(renamed, name);
    else if (!addLayout(name, layout.peek())) {
      showToastHere(t('workspace.problem.full'), 'error');
    }
    onDone();
  };
  return (
    <form ref={check.form} className={styles.form} noValidate onSubmit={submit}>
      <TextField
        name="name"
        label={t('workspace.name')}
        hint={t('rules.textTooLong', { max: MAX_LAYOUT_NAME })}
        value={name}
        error={check.errorOf('name')}
        dir="auto"
        autoComplete="off"
        enterKeyHint="done"
        autoFocus
        onChange={(next) => {
          check.touched('name');
          setName(next);
        }}
      />
      <ButtonPair>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
        <Button type="submit" variant="primary">
          {t('wallet.methods.save')}
        </Button>
      </ButtonPair>
    </form>
  );
}
