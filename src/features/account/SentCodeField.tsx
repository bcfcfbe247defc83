import { useRef, useState } from 'react';
import type { CodeRequest } from '#domain/account/settings';
import type { Message } from '#domain/core/rule';
import { gateway } from '../../gateway/client';
import { ruleText } from '../../i18n/failure';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/TextField';
import styles from './Form.module.css';
import { codeSent, useResendWait } from './sentCodes';
import { useCaptchaChallenge } from './useCaptchaChallenge';

interface SentCodeFieldProps {
  value: string;
  onChange(value: string): void;
  error: string | undefined;
  /** What to request; undefined where the form has just shown why it can't. */
  request(): CodeRequest | undefined;
  purpose: CodeRequest['purpose'];
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
  request,
  purpose,
  to,
}: SentCodeFieldProps) {
  const t = useT();
  const wait = useResendWait(purpose, to);
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const [captchaProblem, setCaptchaProblem] = useState<Message>();
  const challenge = useCaptchaChallenge({
    error: captchaProblem && ruleText(captchaProblem),
    onTouched: () => setCaptchaProblem(undefined),
    onEnter: () => void send(),
  });
  const send = async () => {
    const wanted = sending ? undefined : request();
    if (!wanted) return;
    const problem = challenge.problem();
    setCaptchaProblem(problem?.message);
    if (problem) return;
    setSending(true);
    const result = await gateway.sendCode(wanted, challenge.answer);
    setSending(false);
    challenge.judge(result);
    if (!result.ok) return;
    codeSent(wanted.purpose, wanted.to, result.data.retryAfter);
    field.current?.querySelector('input')?.focus();
  };
  return (
    <>
      <div ref={field}>
        <TextField
          name="code"
          label={t('account.code')}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          dir="ltr"
          value={value}
          error={error}
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
