import { Info } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../i18n/i18n';
import { IconButton } from '../ui/Button';
import { classes } from '../ui/classes';
import { lazyPart } from '../ui/lazyPart';
import { Sheet } from '../ui/Sheet';
import { useFreshBalances } from '../worker/accountAmount';
import { account } from '../worker/trading';
import styles from './AccountSummaryList.module.css';
import { type Formats, SUMMARY_FORMATS, type SummaryName } from './accountFormats';
import { LiveFigures } from './LiveFigures';

const AccountTerms = lazyPart(() => import('./AccountTerms'));

interface AccountSummaryListProps {
  formats?: Partial<Formats<SummaryName>>;
  className?: string | undefined;
}

/** Live summary of the account in USD (domain.md#account-summary). One tap away is what they mean. */
export function AccountSummaryList({
  formats = SUMMARY_FORMATS,
  className,
}: AccountSummaryListProps) {
  const t = useT();
  useFreshBalances();
  const [explained, explain] = useState(false);
  return (
    <div className={classes(styles.account, className)}>
      <LiveFigures
        source={account}
        formats={formats as Formats<SummaryName>}
        label={(name) => t(`account.${name}`)}
        className={styles.figures}
      />
      <IconButton
        className={styles.terms}
        label={t('account.terms.title')}
        onClick={() => explain(true)}
      >
        <Info size={20} />
      </IconButton>
      <Sheet open={explained} onClose={() => explain(false)} title={t('account.terms.title')}>
        <AccountTerms />
      </Sheet>
    </div>
  );
}
