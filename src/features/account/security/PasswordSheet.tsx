import { useState } from 'react';
import type { Result } from '#domain/core/result';
import { fieldProblem } from '#domain/core/rule';
import { useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import { Form, paddedFormClass } from '../../../ui/Form';
import { PasswordField } from '../../../ui/PasswordField';
import { Sheet } from '../../../ui/Sheet';
import { useOpening } from '../../../ui/useOpening';
import { useInputs, useProblems } from '../../../ui/useProblems';

interface PasswordSheetProps<T> {
  open: boolean;
  onClose(): void;
  title: string;
  ask: string;
  send(password: string): Promise<Result<T>>;
  onDone(done: T): void;
}

/** Asks for the password before an action that another person with the phone must not take. */
export function PasswordSheet<T>(props: PasswordSheetProps<T>) {
  const { key, onClose } = useOpening(props.open, props.onClose);
  return <OpenedPassword key={key} {...props} onClose={onClose} />;
}

function OpenedPassword<T>({ open, onClose, title, ask, send, onDone }: PasswordSheetProps<T>) {
  const t = useT();
  const check = useProblems<'password'>();
  const { inputs, change, field } = useInputs(check, { password: '' });
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const { password } = inputs;
    const empty = password === '' ? fieldProblem('password', 'passwordRequired') : undefined;
    if (!check.passes(empty)) return;
    setBusy(true);
    const result = await send(password);
    setBusy(false);
    change({ password: '' });
    if (!result.ok) return;
    onClose();
    onDone(result.data);
  };
  return (
    <Sheet open={open} onClose={onClose} title={title}>
      <Form check={check} className={paddedFormClass} busy={busy} onSubmit={submit}>
        <p>{ask}</p>
        <PasswordField
          {...field('password')}
          label={t('account.password')}
          autoComplete="current-password"
        />
        <Button type="submit" variant="primary" wide busy={busy}>
          {title}
        </Button>
      </Form>
    </Sheet>
  );
}
