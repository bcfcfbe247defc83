import { ArrowDownToLine, ArrowUpFromLine, Landmark, QrCode, ReceiptText } from 'lucide-react';
import { useRef } from 'react';
import { useT } from '../../i18n/i18n';
import { ButtonLink } from '../../ui/ButtonLink';
import { Row } from '../../ui/Row';
import { Screen } from '../../ui/Screen';
import { workerApi } from '../../worker/workerApi';
import { BalanceFigures } from './BalanceFigures';
import styles from './Wallet.module.css';

/**
 * `/mine/wallet`: the balance, deposit and withdraw, and the payout methods.
 */
export function WalletScreen() {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <Screen
      back
      title={t('wallet.title')}
      scroller={scroller}
      onRefresh={() => void workerApi.refreshOrders()}
    >
      <BalanceFigures />
      <div className={styles.links}>
        <ButtonLink to="/mine/charge">
          <ArrowDownToLine size={20} />
          {t('wallet.deposit')}
        </ButtonLink>
        <ButtonLink to="/mine/withdraw" variant="plain">
          <ArrowUpFromLine size={20} />
          {t('wallet.withdrawal')}
        </ButtonLink>
      </div>
      <Row
        to="/mine/bank-card-list"
        lead={<Landmark size={20} />}
        title={t('wallet.methods.bank.title')}
      />
      <Row
        to="/mine/coin-address-list"
        lead={<QrCode size={20} />}
        title={t('wallet.methods.coin.title')}
      />
      <Row to="/mine/history" lead={<ReceiptText size={20} />} title={t('wallet.history.title')} />
    </Screen>
  );
}
