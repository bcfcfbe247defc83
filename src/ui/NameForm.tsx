import type { Message } from '#domain/core/rule';
import { useT } from '../i18n/i18n';
import { Button } from './Button';
import { ButtonPair } from './ButtonPair';
import { Form } from './Form';
import { TextField } from './TextField';
import { useInputs, useProblems } from './useProblems';

interface NameFormProps {
  label: string;
  /** The most characters. */
  max: number;
  /** The present name. */
  name: string;
  /** Label of the button that saves it. */
  save: string;
  className: string | undefined;
  problemOf(name: string): Message | undefined;
  onSave(name: string): void;
  onCancel(): void;
}

/** Names something of the user's own. */
export function NameForm(props: NameFormProps) {
  const { label, max, name, save, className, problemOf, onSave, onCancel } = props;
  const t = useT();
  const check = useProblems<'name'>();
  const { inputs, field } = useInputs(check, { name });
  const submit = () => {
    const message = problemOf(inputs.name);
    if (check.passes(message && { field: 'name', message })) onSave(inputs.name);
  };
  return (
    <Form check={check} className={className} onSubmit={submit}>
      <TextField
        {...field('name')}
        label={label}
        hint={t('rules.textTooLong', { max })}
        dir="auto"
        autoComplete="off"
        enterKeyHint="done"
        autoFocus
      />
      <ButtonPair>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        <Button type="submit" variant="primary">
          {save}
        </Button>
      </ButtonPair>
    </Form>
  );
}
