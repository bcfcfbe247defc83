import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Passkey } from '#domain/api/security';
import { failed } from '#domain/core/result';
import { formatDateTime, UNKNOWN } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { Missing } from '../../../requests/Missing';
import { invalidate, useRequest } from '../../../requests/queries';
import { showFailure } from '../../../requests/showFailure';
import { Button, IconButton } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { Row } from '../../../ui/Row';
import { showToast } from '../../../ui/toastStore';
import { useLastDefined } from '../../../ui/useLastDefined';
import { api } from '../../../worker/api';
import { numberedName } from './DevicesScreen';
import { ProofSheet } from './ProofSheet';
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
        withCode
        send={async (proof, name) => {
          const code = await import('./passkeys').catch(() => undefined);
          if (code) return code.addPasskey(proof, name);
          const failure = { kind: 'transport', code: 'ERR_NETWORK' } as const;
          showFailure(failure);
          return failed(failure);
        }}
        onDone={() => changed(t('security.passkeyAdded'))}
      />
      <ProofSheet
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t('security.passkeyRemove')}
        ask={t('security.passkeyRemoveAsk', { name: removed?.name ?? '' })}
        withCode
        send={(proof) => api('security.deletePasskey', { id: removed?.id ?? 0, ...proof })}
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
