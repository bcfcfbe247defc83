import { useT } from '../../i18n/i18n';
import { Link } from '../../ui/Link';
import { Page } from '../../ui/Page';
import styles from './AboutScreen.module.css';

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

/** Libraries in the browser that deserve credit. */
const CREDITS = [
  {
    name: 'Lightweight Charts',
    licence: 'Apache-2.0',
    url: 'https://www.tradingview.com/lightweight-charts/',
  },
  { name: 'React', licence: 'MIT', url: 'https://react.dev/' },
  { name: 'React Router', licence: 'MIT', url: 'https://reactrouter.com/' },
  { name: 'Preact Signals', licence: 'MIT', url: 'https://preactjs.com/' },
  { name: 'TanStack Virtual', licence: 'MIT', url: 'https://tanstack.com/virtual' },
  { name: 'TanStack Query', licence: 'MIT', url: 'https://tanstack.com/query' },
  { name: 'Base UI', licence: 'MIT', url: 'https://base-ui.com/' },
  { name: 'i18next', licence: 'MIT', url: 'https://www.i18next.com/' },
  { name: 'Lucide', licence: 'ISC', url: 'https://lucide.dev/' },
  { name: 'Comlink', licence: 'Apache-2.0', url: 'https://github.com/GoogleChromeLabs/comlink' },
  { name: 'axios', licence: 'MIT', url: 'https://axios-http.com/' },
  { name: 'qr', licence: 'MIT', url: 'https://github.com/paulmillr/qr' },
  {
    name: 'idb-keyval',
    licence: 'Apache-2.0',
    url: 'https://github.com/jakearchibald/idb-keyval',
  },
] as const;

/** The notice that the licence of Lightweight Charts requires, word for word. */
const CHART_NOTICE = {
  product: 'TradingView Lightweight Charts™',
  copyright: 'Copyright (c) 2025 TradingView, Inc.',
  url: 'https://www.tradingview.com/',
} as const;
