import { parseDecimal } from '#domain/core/decimal';
import { account } from '../gateway/trading';
import { formatAmount, formatRate, UNKNOWN } from '../i18n/format';
import { useT } from '../i18n/i18n';
import styles from './AccountFiguresList.module.css';
import { LiveFigures } from './LiveFigures';

const amount = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatAmount(value, 2) : UNKNOWN;
};
/** A ratio, `--` with no margin in use (domain.md#account-figures). */
const ratio = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatRate(value, 2) : UNKNOWN;
};

const FORMATS = {
  netValue: amount,
  balance: amount,
  freeBalance: amount,
  marginInUse: amount,
  riskRate: ratio,
  prepaymentRatio: ratio,
};

/** The live figures of the account in USD (domain.md#account-figures). */
export function AccountFiguresList() {
  const t = useT();
  return (
    <LiveFigures
      source={account}
      formats={FORMATS}
      label={(name) => t(`account.${name}`)}
      className={styles.figures}
    />
  );
}
