import { useT } from '../../i18n/i18n';
import { Link } from '../../ui/Link';
import { Page } from '../../ui/Page';
import styles from './AboutScreen.module.css';
import { CHART_NOTICE, CREDITS } from './credits';

const REPLAY_COMMAND = 'npm start -- --replay sample';

/** `/about`: what the app is and for whom, credits, and what is for developers. */
export function AboutScreen() {
  const t = useT();
  return (
    <Page title={t('about.title')} className={styles.about}>
      <p>{t('account.welcome')}</p>
      <p>{t('about.sandbox')}</p>
      <section>
        <h2>{t('about.chart')}</h2>
        <p className={styles.notice} lang="en" dir="ltr">
          {CHART_NOTICE.product}
          <br />
          {CHART_NOTICE.copyright}{' '}
          <a href={CHART_NOTICE.url} target="_blank" rel="noreferrer">
            {CHART_NOTICE.url}
          </a>
        </p>
      </section>
      <section>
        <h2>{t('about.credits')}</h2>
        <ul className={styles.credits}>
          {CREDITS.map(({ name, licence, url }) => (
            <li key={name}>
              <a href={url} target="_blank" rel="noreferrer">
                {name}
              </a>
              <span>{licence}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{t('about.developers')}</h2>
        <p>
          {t('about.replay')} <code dir="ltr">{REPLAY_COMMAND}</code>
        </p>
        <Link to="/bench" className={styles.link}>
          {t('bench.title')}
        </Link>
      </section>
      {import.meta.env.VITE_VERSION && (
        <p className={styles.version}>
          {t('about.version', { version: import.meta.env.VITE_VERSION })}
        </p>
      )}
    </Page>
  );
}
