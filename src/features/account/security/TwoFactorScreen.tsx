import { signal } from '@preact/signals-core';
import { useEffect, useRef, useState } from 'react';
import type { Enrolment } from '#domain/api/security';
import { readCode } from '#domain/core/inputText';
import { fieldProblem } from '#domain/core/rule';
import { useT } from '../../../i18n/i18n';
import { useFreshUser } from '../../../requests/useFreshUser';
import { Button, buttonClass } from '../../../ui/Button';
import { CopyButton } from '../../../ui/CopyButton';
import { CopyField } from '../../../ui/CopyField';
import { currentLocation } from '../../../ui/currentLocation';
import { Form, formClass } from '../../../ui/Form';
import { Page } from '../../../ui/Page';
import { QrBox } from '../../../ui/QrBox';
import { useGoBack } from '../../../ui/ScreenHeader';
import { showToast } from '../../../ui/toastStore';
import { useInputs, useProblems } from '../../../ui/useProblems';
import { useValue } from '../../../useValue';
import { api } from '../../../worker/api';
import { user } from '../../../worker/trading';
import { workerApi } from '../../../worker/workerApi';
import { OtpField } from './OtpField';
import styles from './Security.module.css';

const PATH = '/mine/two-factor';

/** The codes that the server has said once, until their user has saved them: the answer may come after the screen was left. */
const recovery = signal<{ userId: number | undefined; codes: readonly string[] }>();

/** `/mine/two-factor`: sets up the second factor, or removes it. */
export function TwoFactorScreen() {
  const t = useT();
  const currentUser = useFreshUser();
  const on = currentUser?.secondFactor;
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const unsaved = useValue(recovery);
  const [busy, setBusy] = useState(false);
  const enrol = async () => {
    setBusy(true);
    const result = await api('security.otpEnrol', {});
    setBusy(false);
    if (result.ok) setEnrolment(result.data.data);
  };
  const userId = currentUser?.id;
  const confirmed = (codes: readonly string[]) => {
    setEnrolment(undefined);
    if (codes.length === 0) return;
    recovery.value = { userId, codes };
    if (currentLocation().pathname !== PATH && user.peek()?.id === userId)
      showToast(t('security.recovery'), 'info', { text: t('alerts.show'), to: PATH });
  };
  return (
    <Page title={t('security.twoFactor')}>
      {unsaved && unsaved.userId === userId ? (
        <RecoveryCodes codes={unsaved.codes} />
      ) : enrolment ? (
        <Confirm enrolment={enrolment} onDone={confirmed} />
      ) : (
        <div className={formClass}>
          <p>{t('security.twoFactorHint')}</p>
          {on !== true && (
            <Button variant="primary" wide busy={busy} onClick={() => void enrol()}>
              {t('security.setUp')}
            </Button>
          )}
          {/* A server need not say whether it is on. */}
          {on !== false && <TurnOff />}
        </div>
      )}
    </Page>
  );
}

interface ConfirmProps {
  enrolment: Enrolment;
  onDone(codes: readonly string[]): void;
}

function Confirm({ enrolment, onDone }: ConfirmProps) {
  const t = useT();
  return (
    <>
      <p data-shown-once>{t('security.scan')}</p>
      <QrBox text={enrolment.uri} label={t('security.qr')} />
      <CopyField label={t('security.key')} text={enrolment.secret} />
      <a className={buttonClass('plain')} href={enrolment.uri}>
        {t('security.openApp')}
      </a>
      <CodeForm
        label={t('security.turnOn')}
        send={async (code) => {
          const result = await workerApi.confirmSecondFactor(code);
          if (result.ok) onDone(result.data.data);
        }}
      />
    </>
  );
}

function TurnOff() {
  const t = useT();
  return (
    <CodeForm
      label={t('security.turnOff')}
      hint={t('security.codeHint')}
      send={async (code) => {
        await workerApi.removeSecondFactor(code);
      }}
    />
  );
}

interface CodeFormProps {
  label: string;
  hint?: string;
  send(code: string): Promise<void>;
}

function CodeForm({ label, hint, send }: CodeFormProps) {
  const check = useProblems<'otp'>();
  const { inputs, change, field } = useInputs(check, { otp: '' });
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const otp = readCode(inputs.otp);
    const empty = otp === '' ? fieldProblem('otp', 'codeRequired') : undefined;
    if (!check.passes(empty)) return;
    setBusy(true);
    await send(otp);
    setBusy(false);
    change({ otp: '' });
  };
  return (
    <Form check={check} busy={busy} onSubmit={submit}>
      <OtpField {...field('otp')} hint={hint} />
      <Button type="submit" variant="primary" wide busy={busy}>
        {label}
      </Button>
    </Form>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const t = useT();
  const goBack = useGoBack();
  const isSaved = useRef(false);
  // Once the screen has gone: without them it would show its form until then.
  useEffect(
    () => () => {
      if (isSaved.current) recovery.value = undefined;
    },
    [],
  );
  const leave = () => {
    isSaved.current = true;
    goBack();
  };
  return (
    <div className={formClass}>
      <p data-shown-once>{t('security.recoveryHint')}</p>
      <ul className={styles.codes} aria-label={t('security.recovery')}>
        {codes.map((code) => (
          <li key={code} dir="ltr" translate="no">
            {code}
          </li>
        ))}
      </ul>
      <div className={styles.kept}>
        <Button variant="primary" wide onClick={leave}>
          {t('security.recoveryKept')}
        </Button>
        <CopyButton text={codes.join('\n')} label={t('security.recovery')} />
      </div>
    </div>
  );
}
