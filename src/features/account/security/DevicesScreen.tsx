import { LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import type { Device } from '#domain/api/security';
import type { ParamsOf } from '#domain/api/subjects';
import type { UnixMs } from '#domain/core/time';
import { formatCount, formatDateTime, UNKNOWN } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { Missing } from '../../../requests/Missing';
import { invalidate, useRequest } from '../../../requests/queries';
import { Button, IconButton } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { Row } from '../../../ui/Row';
import { showToast } from '../../../ui/toastStore';
import { api } from '../../../worker/api';
import styles from './Security.module.css';

/** `/mine/devices`: where the user is logged in. */
export function DevicesScreen() {
  const t = useT();
  const devices = useRequest(['devices'], () => api('security.deviceList', {}));
  const { data } = devices;
  const [busy, setBusy] = useState(false);
  const end = async (which: ParamsOf<'security.endSession'>) => {
    if (busy) return;
    setBusy(true);
    const result = await api('security.endSession', which);
    setBusy(false);
    if (result.ok && !result.data.text) showToast(t('security.ended'));
    void invalidate('devices');
  };
  return (
    <Page title={t('security.devices')} flush>
      <Missing request={devices} />
      <ul aria-label={t('security.devices')}>
        {data?.map((device, index) => (
          <li key={device.id}>
            <DeviceRow
              device={device}
              name={numberedName(data, index, t('security.unknownDevice'))}
              onEnd={() => void end({ id: device.id })}
            />
          </li>
        ))}
      </ul>
      {data && data.length > 1 && (
        <div className={styles.foot}>
          <Button wide busy={busy} onClick={() => void end({ others: 1 })}>
            {t('security.endOthers')}
          </Button>
        </div>
      )}
    </Page>
  );
}

/** Rows of one name are numbered: their buttons would be heard alike. */
export function numberedName(
  rows: readonly { name: string }[],
  index: number,
  unknown: string,
): string {
  const names = rows.map(({ name }) => name || unknown);
  const name = names[index] ?? unknown;
  const alike = (until: number) => names.slice(0, until).filter((each) => each === name).length;
  return alike(names.length) > 1 ? `${name} ${formatCount(alike(index + 1))}` : name;
}

interface DeviceRowProps {
  device: Device;
  name: string;
  onEnd(): void;
}

function DeviceRow({ device, name, onEnd }: DeviceRowProps) {
  const t = useT();
  return (
    <Row
      lead={<MonitorSmartphone size={20} />}
      title={<bdi>{name}</bdi>}
      detail={t('security.deviceTimes', {
        created: timeText(device.createdAt),
        used: timeText(device.usedAt),
      })}
      figure={
        device.current ? (
          t('security.thisDevice')
        ) : (
          <IconButton label={t('security.endDevice', { device: name })} onClick={onEnd}>
            <LogOut size={20} />
          </IconButton>
        )
      }
    />
  );
}

const timeText = (time: UnixMs | undefined) =>
  time === undefined ? UNKNOWN : formatDateTime(time);
