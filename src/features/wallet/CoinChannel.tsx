import type { CoinNetwork } from '#domain/api/wallet';
import { useT } from '../../i18n/i18n';
import { FailedRequest } from '../../requests/FailedRequest';
import { CopyField } from '../../ui/CopyField';
import { QrBox } from '../../ui/QrBox';
import { SelectField } from '../../ui/SelectField';
import type { ChannelProps } from './useChannel';
import styles from './Wallet.module.css';
import { currencyText } from './walletText';

/** Chooses the network and shows the address to send coins to. */
export function CoinChannel({ channel, onTouched, error }: ChannelProps) {
  const t = useT();
  const { networks, network } = channel;
  if (networks.failure && !networks.data) {
    return <FailedRequest failure={networks.failure} onRetry={networks.refetch} />;
  }
  const label = network && networkText(network);
  return (
    <>
      <SelectField
        name="channel"
        label={t('wallet.charge.network')}
        placeholder={t(
          networks.data?.length === 0 ? 'wallet.charge.noNetworks' : 'wallet.charge.chooseNetwork',
        )}
        options={(networks.data ?? []).map((each) => ({
          value: each.id,
          label: networkText(each),
        }))}
        value={network?.id}
        onChange={(id) => {
          onTouched();
          channel.choose(id);
        }}
        disabled={!networks.data}
        error={error}
      />
      {network && (
        <div className={styles.address}>
          <QrBox text={network.address} label={t('wallet.charge.qr', { network: label ?? '' })} />
          <CopyField label={t('wallet.bank.address')} text={network.address} />
          <p className={styles.warning}>
            {t('wallet.charge.onlyNetwork', { network: label ?? '' })}
          </p>
        </div>
      )}
    </>
  );
}

function networkText({ currency, protocol }: CoinNetwork): string {
  return currencyText({ code: currency, protocol });
}
