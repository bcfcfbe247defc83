import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { ParamsOf } from '#domain/api/subjects';
import { t } from '../../../i18n/i18n';
import { showToastHere } from '../../../ui/toastStore';
import { api } from '../../../worker/api';
import { workerApi } from '../../../worker/workerApi';

/** Who changes passkeys gives the password again, or a code of the second factor. */
export type Proof = { password: string } | { otp: string };

/** Asks the browser for a passkey of this page, and logs in by it. The user is told of what fails. */
export async function logInByPasskey(): Promise<void> {
  const asked = await api('security.passkeyLoginOptions', {});
  if (!asked.ok) return;
  const optionsJSON = asked.data.data as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const response = await answered(() => startAuthentication({ optionsJSON }));
  if (response)
    await workerApi.signInWithPasskey({ response } as ParamsOf<'security.passkeyLogin'>);
}

/** Has the browser make a passkey, and saves it. The user is told of what fails. Returns whether it is saved. */
export async function addPasskey(proof: Proof, name: string): Promise<boolean> {
  const asked = await api('security.passkeyOptions', proof);
  if (!asked.ok) return false;
  const optionsJSON = asked.data.data as unknown as Parameters<
    typeof startRegistration
  >[0]['optionsJSON'];
  const response = await answered(() => startRegistration({ optionsJSON }));
  if (!response) return false;
  const params = { response, name } as ParamsOf<'security.addPasskey'>;
  return (await api('security.addPasskey', params)).ok;
}

/** The names of the browser's errors (WebAuthn), as users can act on them. */
const TEXTS = {
  NotAllowedError: 'security.passkeyNone',
  AbortError: 'security.passkeyNone',
  InvalidStateError: 'security.passkeyHere',
} as const;

async function answered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const { name } = error as Error;
    const text = name in TEXTS ? TEXTS[name as keyof typeof TEXTS] : 'security.passkeyFailed';
    showToastHere(t(text), 'error');
    return undefined;
  }
}
