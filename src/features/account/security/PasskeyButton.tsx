import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../../i18n/i18n';
import { useFeature } from '../../../requests/accountSettings';
import { showFailure } from '../../../requests/showFailure';
import { Button } from '../../../ui/Button';

/** Logs in by a passkey, where server and browser have them; the browser asks which one. */
export function PasskeyButton() {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const offered = useFeature('passkeys') && 'PublicKeyCredential' in window;
  if (!offered) return null;
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
