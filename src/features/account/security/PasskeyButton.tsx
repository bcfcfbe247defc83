import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../../i18n/i18n';
import { showFailure } from '../../../requests/showFailure';
import { Button } from '../../../ui/Button';

/**
 * Logs in by a passkey, where the browser has them; it asks which one. The login knows whether the server has: asked again here after a
 * failure, the settings would load for ever, because the form is there once they have failed.
 */
export function PasskeyButton() {
  const t = useT();
  const [busy, setBusy] = useState(false);
  if (!('PublicKeyCredential' in window)) return null;
  const enter = async () => {
    setBusy(true);
    const passkeys = await import('./passkeys').catch(() => undefined);
    if (passkeys) await passkeys.logInByPasskey();
    else showFailure({ kind: 'transport', code: 'ERR_NETWORK' });
    setBusy(false);
  };
  return (
    <Button wide busy={busy} onClick={() => void enter()}>
      <KeyRound size={20} />
      {t('account.passkeyLogin')}
    </Button>
  );
}
