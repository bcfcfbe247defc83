import { useId, useState } from 'react';
import { CODE_TYPES } from '#domain/account/codes';
import type { CodePurpose } from '#domain/account/settings';
import { readCode } from '#domain/core/inputText';
import type { Result } from '#domain/core/result';
import { fieldProblem } from '#domain/core/rule';
import { masked } from '../../codes/masked';
import { type CodeRequest, SentCodeField } from '../../codes/SentCodeField';
import { useT } from '../../i18n/i18n';
import { useAccountSettings } from '../../requests/accountSettings';
import { CallButton } from '../../requests/CallButton';
import { Missing } from '../../requests/Missing';
import { type Fact, Facts } from '../../ui/Facts';
import { Form } from '../../ui/Form';
import { Sheet } from '../../ui/Sheet';
import { useOpening } from '../../ui/useOpening';
import { useProblems } from '../../ui/useProblems';
import { useValue } from '../../useValue';
import { user } from '../../worker/trading';
import { useCall } from '../../worker/useCall';
import styles from './Wallet.module.css';

/** The parameter of a code; none where none is asked for. */
export type SentCode = { sms_code?: string };

/** What is paid out: parameters of the call, but the code. */
interface Payout {
  purpose: CodePurpose;
  payout: Partial<CodeRequest['params']>;
}

interface PayoutSheetProps<T> extends Payout {
  open: boolean;
  onClose(): void;
  title: string;
  ask: string;
  facts: readonly Fact[];
  /** Label of the confirming button. */
  label: string;
  /** Sends the payout with its code. */
  send(code: SentCode, key: string): Promise<Result<T>>;
  onDone(done: T): void;
}

/**
 * Confirms a withdrawal or a new payout method in words that name it, by a sent code where the
 * server asks for one.
 */
export function PayoutSheet<T>(props: PayoutSheetProps<T>) {
  const { open, onClose, title, ask, facts, label, purpose, payout, send, onDone } = props;
  const question = useId();
  const call = useCall();
  const check = useProblems<'code'>(useOpening(open, onClose).key);
  const settings = useAccountSettings();
  const verified = settings.data?.drawVerify;
  // A code for anything else is refused.
  const subject = JSON.stringify(payout);
  const [typed, setTyped] = useState({ subject, code: '' });
  const code = typed.subject === subject ? typed.code : '';
  const confirm = async () => {
    const given = readCode(code);
    const missing = verified && given === '';
    if (!check.passes(missing ? fieldProblem('code', 'codeRequired') : undefined)) return;
    const result = await call.run((key) => send(verified ? { sms_code: given } : {}, key));
    if (!result?.ok) return;
    setTyped((now) => (now.subject === subject ? { subject, code: '' } : now));
    onDone(result.data);
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      describedBy={question}
      foot={
        <CallButton
          call={call}
          label={label}
          variant="primary"
          wide
          disabled={verified === undefined}
          onClick={() => void confirm()}
        />
      }
    >
      <div className={styles.sheet}>
        <div id={question}>
          <p>{ask}</p>
          <Facts facts={facts} />
        </div>
        <Missing request={settings}>{null}</Missing>
        {verified && (
          <Form check={check} className={styles.code} onSubmit={confirm}>
            <PayoutCode
              purpose={purpose}
              payout={payout}
              value={code}
              error={check.errorOf('code')}
              onChange={(next) => {
                check.touched('code');
                setTyped({ subject, code: next });
              }}
            />
          </Form>
        )}
      </div>
    </Sheet>
  );
}

interface PayoutCodeProps extends Payout {
  value: string;
  error: string | undefined;
  onChange(code: string): void;
}

/** The field of the code, and the address that it is sent to. */
function PayoutCode({ purpose, payout, value, error, onChange }: PayoutCodeProps) {
  const t = useT();
  const { email = '', mobile = '' } = useValue(user) ?? {};
  const to = email || mobile;
  return (
    <SentCodeField
      value={value}
      error={error}
      hint={`${t('account.codeGoesTo', { to: masked(to) })} ${t('wallet.codeFor')}`}
      onChange={onChange}
      purpose={purpose}
      to={to}
      request={() => ({
        kind: email ? 'email' : 'mobile',
        params: { to: '', area_id: 0, type: CODE_TYPES.payout, ...payout },
      })}
    />
  );
}
