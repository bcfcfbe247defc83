import { KeyRound, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Passkey } from '#domain/api/security';
import { readCode } from '#domain/core/inputText';
import { fieldProblem } from '#domain/core/rule';
import { formatDateTime, UNKNOWN } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { Missing } from '../../../requests/Missing';
import { invalidate, useRequest } from '../../../requests/queries';
import { showFailure } from '../../../requests/showFailure';
import { Button, IconButton } from '../../../ui/Button';
import { Form, paddedFormClass } from '../../../ui/Form';
import { Page } from '../../../ui/Page';
import { PasswordField } from '../../../ui/PasswordField';
import { Row } from '../../../ui/Row';
import { Sheet } from '../../../ui/Sheet';
import { TextField } from '../../../ui/TextField';
import { showToast } from '../../../ui/toastStore';
import { useLastDefined } from '../../../ui/useLastDefined';
import { useOpening } from '../../../ui/useOpening';
import { useInputs, useProblems } from '../../../ui/useProblems';
import { useValue } from '../../../useValue';
import { api } from '../../../worker/api';
import { user } from '../../../worker/trading';
import { numberedName } from './DevicesScreen';
import { OtpField } from './OtpField';
import type { Proof } from './passkeys';
import styles from './Security.module.css';

/** `/mine/passkeys` (screens.md#security): the user's passkeys; to add or remove one takes the password again. */
export function PasskeysScreen() {
  const t = useT();
  const passkeys = useRequest(['passkeys'], () => api('security.passkeyList', {}));
  const { data } = passkeys;
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<{ id: number; name: string }>();
  const removed = useLastDefined(removing);
  const supported = 'PublicKeyCredential' in window;
  const changed = (text: string) => {
    showToast(text);
    void invalidate('passkeys');
  };
  return (
    <Page title={t('security.passkeys')} flush>
      <p className={styles.foot}>
        {t(supported ? 'security.passkeysHint' : 'security.passkeyUnsupported')}
      </p>
      <Missing request={passkeys} />
      {data?.length === 0 && <p className={styles.foot}>{t('security.noPasskeys')}</p>}
      <ul aria-label={t('security.passkeys')}>
        {data?.map((passkey, index) => {
          const name = numberedName(data, index, t('security.passkeyUnnamed'));
          return (
            <li key={passkey.id}>
              <PasskeyRow
                passkey={passkey}
                name={name}
                onRemove={() => setRemoving({ id: passkey.id, name })}
              />
            </li>
          );
        })}
      </ul>
      {data && supported && (
        <div className={styles.foot}>
          <Button variant="primary" wide onClick={() => setAdding(true)}>
            {t('security.passkeyAdd')}
          </Button>
        </div>
      )}
      <ProofSheet
        open={adding}
        onClose={() => setAdding(false)}
        title={t('security.passkeyAdd')}
        named
        send={async (proof, name) => {
          const code = await import('./passkeys').catch(() => undefined);
          if (code) return code.addPasskey(proof, name);
          showFailure({ kind: 'transport', code: 'ERR_NETWORK' });
          return false;
        }}
        onDone={() => changed(t('security.passkeyAdded'))}
      />
      <ProofSheet
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t('security.passkeyRemove')}
        ask={t('security.passkeyRemoveAsk', { name: removed?.name ?? '' })}
        send={async (proof) =>
          (await api('security.deletePasskey', { id: removed?.id ?? 0, ...proof })).ok
        }
        onDone={() => changed(t('security.passkeyRemoved'))}
      />
    </Page>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  name: string;
  onRemove(): void;
}

function PasskeyRow({ passkey: { createdAt, usedAt }, name, onRemove }: PasskeyRowProps) {
  const t = useT();
  const created = createdAt === undefined ? UNKNOWN : formatDateTime(createdAt);
  return (
    <Row
      lead={<KeyRound size={20} />}
      title={<bdi>{name}</bdi>}
      detail={
        usedAt === undefined
          ? t('security.passkeyUnused', { created })
          : t('security.passkeyTimes', { created, used: formatDateTime(usedAt) })
      }
      figure={
        <IconButton label={t('security.passkeyRemoveNamed', { name })} onClick={onRemove}>
          <Trash2 size={20} />
        </IconButton>
      }
    />
  );
}

interface ProofSheetProps {
  open: boolean;
  onClose(): void;
  title: string;
  ask?: ReactNode;
  /** Also asks for a name. */
  named?: boolean;
  /** Returns whether it is done. */
  send(proof: Proof, name: string): Promise<boolean>;
  onDone(): void;
}

/** Asks for the password or, where a login needs one, a code of the second factor: a passkey stands for both. */
function ProofSheet(props: ProofSheetProps) {
  const { key, onClose } = useOpening(props.open, props.onClose);
  return <OpenedProof key={key} {...props} onClose={onClose} />;
}

function OpenedProof({ open, onClose, title, ask, named, send, onDone }: ProofSheetProps) {
  const t = useT();
  const otpNeeded = useValue(user)?.secondFactor === true;
  const check = useProblems<'password' | 'otp' | 'name'>();
  const { inputs, change, field } = useInputs(check, { password: '', otp: '', name: '' });
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const { password, otp, name } = inputs;
    const missing = otpNeeded
      ? otp.trim() === '' && fieldProblem('otp' as const, 'codeRequired')
      : password === '' && fieldProblem('password' as const, 'passwordRequired');
    if (!check.passes(missing || undefined)) return;
    setBusy(true);
    const done = await send(otpNeeded ? { otp: readCode(otp) } : { password }, name.trim());
    setBusy(false);
    change({ password: '', otp: '' });
    if (!done) return;
    onClose();
    onDone();
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
          />
        )}
        {otpNeeded ? (
          <OtpField {...field('otp')} hint={t('security.codeHint')} />
        ) : (
          <PasswordField
            {...field('password')}
            label={t('account.password')}
            autoComplete="current-password"
          />
        )}
        <Button type="submit" variant="primary" wide busy={busy}>
          {title}
        </Button>
      </Form>
    </Sheet>
  );
}
