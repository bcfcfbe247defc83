import { useEffect, useState } from 'react';
import { formatChange, formatShort } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { pageSetting } from '../../pageSetting';
import {
  type DataSaver,
  dataSaver,
  errorReports,
  type Theme,
  theme,
  upColourChoice,
} from '../../preferences/preferences';
import { upColour } from '../../preferences/upColour';
import { Choice } from '../../ui/Choice';
import { Link } from '../../ui/Link';
import { Sheet } from '../../ui/Sheet';
import { useValue } from '../../useValue';
import { watchRates } from '../../worker/traffic';
import styles from './AppearanceSheet.module.css';

/**
 * Settings of theme, colours, data saver and error reports, with a link to /about.
 */
export default function AppearanceSheet({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useT();
  const shownTheme = useValue(theme);
  const up = useValue(upColour);
  const saver = useValue(dataSaver);
  const reports = useValue(errorReports);
  return (
    <Sheet open={open} onClose={onClose} title={t('market.appearance')}>
      <div className={styles.choices}>
        <Choice<Theme>
          label={t('market.theme')}
          options={[
            { value: 'system', label: t('market.themeSystem') },
            { value: 'light', label: t('market.themeLight') },
            { value: 'dark', label: t('market.themeDark') },
          ]}
          value={shownTheme}
          onChange={(next) => {
            theme.value = next;
          }}
        />
        <Choice
          label={t('market.trend')}
          options={[
            { value: 'green-up', label: t('market.greenUp') },
            { value: 'red-up', label: t('market.redUp') },
          ]}
          value={up}
          onChange={(next) => {
            upColourChoice.value = next;
          }}
        />
        <p className={styles.sample} dir="ltr" translate="no" aria-hidden="true">
          <span className={styles.up}>▲ {formatChange(1.25)}</span>
          <span className={styles.down}>▼ {formatChange(-0.84)}</span>
        </p>
        <div>
          <Choice<DataSaver>
            label={t('saver.title')}
            options={[
              { value: 'auto', label: t('saver.auto') },
              { value: 'on', label: t('saver.on') },
              { value: 'off', label: t('saver.off') },
            ]}
            value={saver}
            onChange={(next) => {
              dataSaver.value = next;
            }}
          />
          <p className={styles.note}>{t('saver.note')}</p>
          <DataRate />
        </div>
        {pageSetting('errors-share') !== '' && (
          <div>
            <Choice
              label={t('errorReports.title')}
              options={[
                { value: 'on', label: t('errorReports.on') },
                { value: 'off', label: t('errorReports.off') },
              ]}
              value={reports ? 'on' : 'off'}
              onChange={(next) => {
                errorReports.value = next === 'on';
              }}
            />
            <p className={styles.note}>{t('errorReports.note')}</p>
          </div>
        )}
        <Link to="/about" onClick={onClose}>
          {t('about.title')}
        </Link>
      </div>
    </Sheet>
  );
}

/** The present data rate of live prices. */
function DataRate() {
  const t = useT();
  const [kilobytes, setKilobytes] = useState<number>();
  useEffect(
    () => watchRates(false, ({ kilobytesPerSecond }) => setKilobytes(kilobytesPerSecond * 60)),
    [],
  );
  return (
    <p className={styles.note}>
      {t('saver.rate', { rate: kilobytes === undefined ? '–' : formatShort(kilobytes) })}
    </p>
  );
}
