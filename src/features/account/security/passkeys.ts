import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { ParamsOf } from '#domain/api/subjects';
import { failed, type Result } from '#domain/core/result';
import { t } from '../../../i18n/i18n';
import { showToastHere } from '../../../ui/toastStore';
import { api } from '../../../worker/api';
import { workerApi } from '../../../worker/workerApi';
import type { Proof } from './ProofSheet';

/** What passkeys sign for a login is good for five minutes, ms. */
const RENEWED_MS = 4 * 60_000;

type Login = Parameters<typeof startAuthentication>[0];

/** Asks the browser for a passkey of this page, and logs in by it. The user is told of what fails. */
export async function logInByPasskey(): Promise<void> {
  const asked = await api('security.passkeyLoginOptions', {});
  if (!asked.ok) return;
  const response = await answered(() => startAuthentication({ optionsJSON: read(asked.data) }));
  if (response) await logIn(response);
}

const read = ({ data }: { data: unknown }) => data as Login['optionsJSON'];

const logIn = (response: Awaited<ReturnType<typeof startAuthentication>>) =>
  workerApi.signInWithPasskey({ response } as ParamsOf<'security.passkeyLogin'>);

/**
 * Has the browser offer passkeys in the field of the address, beside what it fills in itself, and logs in by the one that is chosen, until
 * `signal` ends it. The user has not asked for it: nothing is said of what fails.
 */
export async function offerPasskeys(signal: AbortSignal): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return;
  let renew = true;
  while (renew && !signal.aborted) {
    const asked = await api('security.passkeyLoginOptions', {}, { quiet: true });
    if (!asked.ok || signal.aborted) return;
    const end = () => WebAuthnAbortService.cancelCeremony();
    renew = false;
    const timer = setTimeout(() => {
      renew = true;
      end();
    }, RENEWED_MS);
    signal.addEventListener('abort', end);
    // The button begins one of its own, which ends this one.
    const offered = startAuthentication({
      optionsJSON: read(asked.data),
      useBrowserAutofill: true,
    });
    const response = await offered.catch(() => undefined);
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    if (response && !signal.aborted) renew = !(await logIn(response)).ok;
  }
}

/** Has the browser make a passkey, and saves it. The user is told of what fails. */
export async function addPasskey(proof: Proof, name: string): Promise<Result<unknown>> {
  const asked = await api('security.passkeyOptions', proof);
  if (!asked.ok) return asked;
  const optionsJSON = asked.data.data as unknown as Parameters<
    typeof startRegistration
  >[0]['optionsJSON'];
  const response = await answered(() => startRegistration({ optionsJSON }));
  if (!response) return failed({ kind: 'cancelled' });
  const params = { response, name } as ParamsOf<'security.addPasskey'>;
  return api('security.addPasskey', params);
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
