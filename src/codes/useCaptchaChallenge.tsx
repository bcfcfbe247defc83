import { type ReactNode, useState } from 'react';
import { CODE_CAPTCHA, CODE_SECOND_FACTOR } from '#domain/api/envelope';
import type { Result } from '#domain/core/result';
import { type FieldProblem, fieldProblem } from '#domain/core/rule';
import { CaptchaField } from './CaptchaField';
import { useCaptcha } from './useCaptcha';

/** The name of the field in its form. */
export const CAPTCHA_FIELD = 'captcha';

interface CaptchaChallenge {
  /** The picture with its field; null while the server asks for none. */
  field: ReactNode;
  /** What the user read, as parameters of the call. */
  params: { captcha_id?: string; captcha_text?: string };
  /** Where the field is empty. */
  problem(): FieldProblem<typeof CAPTCHA_FIELD> | undefined;
  /** Takes the result of the call: shows the field where it is asked for, removes it after a success. `focus`: it takes the focus. */
  applyResult(result: Result<unknown>, focus?: boolean): void;
}

/** A captcha for a call that needs one only at times (code 428, protocol.md#captcha). */
export function useCaptchaChallenge({
  error,
  onTouched,
  onEnter,
}: {
  error: string | undefined;
  onTouched(): void;
  /** Instead of submitting the form. */
  onEnter?: () => void;
}): CaptchaChallenge {
  const [required, setRequired] = useState(false);
  const [autoFocus, setAutoFocus] = useState(true);
  const [text, setText] = useState('');
  const { request, another } = useCaptcha(required);
  const change = (next: string) => {
    onTouched();
    setText(next);
  };
  return {
    field: required && (
      <CaptchaField
        name={CAPTCHA_FIELD}
        captcha={request}
        onAnother={() => {
          another();
          change('');
        }}
        value={text}
        onChange={change}
        onEnter={onEnter}
        error={error}
        autoFocus={autoFocus}
      />
    ),
    params: required ? { captcha_id: request.data?.id ?? '', captcha_text: text.trim() } : {},
    problem: () =>
      required && text.trim() === '' ? fieldProblem(CAPTCHA_FIELD, 'captchaRequired') : undefined,
    applyResult(result, focus = true) {
      setAutoFocus(focus);
      const code =
        !result.ok && result.failure.kind === 'refused' ? result.failure.code : undefined;
      // A captcha is valid for one answer.
      if (required) another();
      setText('');
      // The ticket of a second factor proves that the captcha was right (protocol.md#second-factor).
      const done = result.ok || code === CODE_SECOND_FACTOR;
      setRequired(code === CODE_CAPTCHA || (required && !done));
    },
  };
}
