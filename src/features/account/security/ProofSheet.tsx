import { type ReactNode, useState } from 'react';
import { LONGEST_PASSKEY_NAME } from '#domain/account/rules';
import { readCode } from '#domain/core/inputText';
import type { Result } from '#domain/core/result';
import { fieldProblem, lineProblem } from '#domain/core/rule';
import { useT } from '../../../i18n/i18n';
import { useFreshUser } from '../../../requests/useFreshUser';
import { Button } from '../../../ui/Button';
import { Form, paddedFormClass } from '../../../ui/Form';
import { PasswordField } from '../../../ui/PasswordField';
import { Sheet } from '../../../ui/Sheet';
import { TextField } from '../../../ui/TextField';
import { useOpening } from '../../../ui/useOpening';
import { useInputs, useProblems } from '../../../ui/useProblems';
import { OtpField } from './OtpField';

/** The password; for a passkey, where a login needs one, also a code of the second factor. */
export type Proof = { password: string; otp?: string };

interface ProofSheetProps<T> {
  open: boolean;
  onClose(): void;
  title: string;
  ask?: ReactNode;
  /** Also asks for a code where a login does: a passkey stands for both. */
  withCode?: boolean;
  /** Also asks for a name. */
  named?: boolean;
  send(proof: Proof, name: string): Promise<Result<T>>;
  onDone(done: T): void;
}

/** Asks for the password before an action that another person with the phone must not take. */
export function ProofSheet<T>(props: ProofSheetProps<T>) {
  const { key, onClose } = useOpening(props.open, props.onClose);
  return <OpenedProof key={key} {...props} onClose={onClose} />;
}

function OpenedProof<T>(props: ProofSheetProps<T>) {
  const { open, onClose, title, ask, withCode = false, named, send, onDone } = props;
  const t = useT();
  const hasFactor = useFreshUser(open && withCode)?.secondFactor === true;
  const otpNeeded = withCode && hasFactor;
  const check = useProblems<'password' | 'otp' | 'name'>();
  const { inputs, change, field } = useInputs(check, { password: '', otp: '', name: '' });
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const { password, name } = inputs;
    const otp = readCode(inputs.otp);
    const noPassword =
      password === '' ? fieldProblem('password' as const, 'passwordRequired') : undefined;
    const noCode =
      otpNeeded && otp === '' ? fieldProblem('otp' as const, 'codeRequired') : undefined;
    if (!check.passes(lineProblem('name', name), noPassword, noCode)) return;
    setBusy(true);
    const result = await send(otpNeeded ? { password, otp } : { password }, name.trim());
    setBusy(false);
    change({ password: '', otp: '' });
    if (!result.ok) return;
    onClose();
    onDone(result.data);
  };
  return (
    <Sheet open={open} onClose={onClose} title={title}>
      <Form check={check} className={paddedFormClass} busy={busy} onSubmit={submit}>
        {ask && <p>{ask}</p>}
        {named && (
          <TextField
            {...field('name')}
            label={t('security.passkeyName')}
            hint={t('security.passkeyNameHint')}
            maxLength={LONGEST_PASSKEY_NAME}
          />
        )}
        <PasswordField
          {...field('password')}
          label={t('account.password')}
          autoComplete="current-password"
        />
        {otpNeeded && <OtpField {...field('otp')} hint={t('security.codeHint')} />}
        <Button type="submit" variant="primary" wide busy={busy}>
          {title}
        </Button>
      </Form>
    </Sheet>
  );
}
