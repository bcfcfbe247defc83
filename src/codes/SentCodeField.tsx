import { useLayoutEffect, useRef, useState } from 'react';
import type { AddressKind } from '#domain/account/address';
import type { CodePurpose } from '#domain/account/settings';
import type { ParamsOf } from '#domain/api/subjects';
import type { Message } from '#domain/core/rule';
import { ruleText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import { TextField } from '../ui/TextField';
import { focusField } from '../ui/useProblems';
import { api } from '../worker/api';
import styles from './SentCodeField.module.css';
import { codeSent, useResendWait } from './sentCodes';
import { CAPTCHA_FIELD, useCaptchaChallenge } from './useCaptchaChallenge';

/** A code to send to an address of this kind (protocol.md#sent-codes). */
export interface CodeRequest {
  kind: AddressKind;
  /** Without the captcha. */
  params: ParamsOf<'account.sendEmail'>;
}

interface SentCodeFieldProps {
  value: string;
  onChange(value: string): void;
  error: string | undefined;
  hint?: string;
  /** Undefined where the form has just shown why none can be sent. */
  request(): CodeRequest | undefined;
  purpose: CodePurpose;
  to: string;
}

/**
 * The field of a code that is sent on request, at most once in 60 s (domain.md#sent-codes).
 * Browsers fill it in from mails and messages.
 */
export function SentCodeField({
  value,
  onChange,
  error,
  hint,
  request,
  purpose,
  to,
}: SentCodeFieldProps) {
  const t = useT();
  const wait = useResendWait(purpose, to);
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const [captchaProblem, setCaptchaProblem] = useState<Message>();
  useLayoutEffect(() => {
    if (captchaProblem) focusField(field.current?.closest('form'), CAPTCHA_FIELD);
  }, [captchaProblem]);
  const challenge = useCaptchaChallenge({
    error: captchaProblem && ruleText(captchaProblem),
    onTouched: () => setCaptchaProblem(undefined),
    onEnter: () => void send(),
  });
  const send = async () => {
    const code = sending ? undefined : request();
    if (!code) return;
    const problem = challenge.problem();
    setCaptchaProblem(problem?.message);
    if (problem) return;
    setSending(true);
    const focused = document.activeElement;
    const call = code.kind === 'email' ? 'account.sendEmail' : 'account.sendSms';
    const result = await api(call, { ...code.params, ...challenge.params });
    setSending(false);
    // What is typed elsewhere by now, as a password, must not go on in another field.
    const waiting = [focused, document.body].includes(document.activeElement);
    challenge.applyResult(result, waiting);
    if (!result.ok) return;
    codeSent(purpose, to, result.data.data.retryAfter);
    if (waiting) field.current?.querySelector('input')?.focus();
  };
  return (
    <>
      <div ref={field}>
        <TextField
          name="code"
          label={t('account.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          exact
          value={value}
          error={error}
          hint={hint}
          onChange={onChange}
          after={
            <Button
              variant="quiet"
              className={styles.send}
              disabled={wait > 0}
              busy={sending}
              onClick={() => void send()}
            >
              {wait > 0
                ? t('account.resendIn', { seconds: wait })
                : t(sending ? 'account.sendingCode' : 'account.sendCode')}
            </Button>
          }
        />
      </div>
      {challenge.field}
    </>
  );
}
