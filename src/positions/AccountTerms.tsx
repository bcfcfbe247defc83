import { STOP_OUT_RATIO } from '#domain/trading/accountSummary';
import { formatExact } from '../i18n/format';
import { useT } from '../i18n/i18n';
import styles from './AccountTerms.module.css';
import { SUMMARY_FORMATS, type SummaryName } from './accountFormats';

/** The figures whose name in the specification is another one. */
const SPECIFIED = ['equity', 'available', 'riskRate', 'marginLevel'] as const;

/** What each figure of an account is, with the word that the specification has for it. */
export default function AccountTerms() {
  const t = useT();
  return (
    <dl className={styles.terms}>
      {(Object.keys(SUMMARY_FORMATS) as SummaryName[]).map((name) => {
        const label = t(`account.${name}`);
        const known = SPECIFIED.find((each) => each === name);
        const specified = known && t(`account.specified.${known}`);
        return (
          <div key={name}>
            <dt>
              {label}
              {specified && specified.toLowerCase() !== label.toLowerCase() && (
                <span className={styles.specified}> ({specified})</span>
              )}
            </dt>
            <dd>{t(`account.terms.${name}`, { stopOut: formatExact(STOP_OUT_RATIO) })}</dd>
          </div>
        );
      })}
    </dl>
  );
}
