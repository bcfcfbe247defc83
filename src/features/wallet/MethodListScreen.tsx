import { BookmarkPlus, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PayoutMethod } from '#domain/api/wallet';
import { MONEY_TYPES, type MoneyKind } from '#domain/wallet/wallet';
import { useT } from '../../i18n/i18n';
import { Missing } from '../../requests/Missing';
import { NotRefreshed } from '../../requests/NotRefreshed';
import { useRequest } from '../../requests/queries';
import { iconButtonClass } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { Link } from '../../ui/Link';
import { Row } from '../../ui/Row';
import { ListSkeleton } from '../../ui/RowSkeleton';
import { Screen } from '../../ui/Screen';
import { EmptyState } from '../../ui/State';
import { SwipeRow } from '../../ui/SwipeRow';
import { useOpening } from '../../ui/useOpening';
import { api } from '../../worker/api';
import { MethodSheet, type MethodView } from './MethodSheet';
import { addMethodPath } from './payoutMethodPath';
import { currencyText, methodText } from './walletText';

/** `/mine/bank-card-list` and `/mine/coin-address-list`: saved payout methods. A swipe deletes one. */
export function MethodListScreen() {
  const t = useT();
  const kind: MoneyKind = useLocation().pathname === '/mine/bank-card-list' ? 'bank' : 'coin';
  const scroller = useRef<HTMLDivElement>(null);
  const saved = useRequest(['payoutMethods', kind], () =>
    api('wallet.payoutMethods', { draw_type: MONEY_TYPES[kind], draw_id: 0 }),
  );
  const [shown, setShown] = useState<{ method: PayoutMethod; view: MethodView }>();
  const [open, setOpen] = useState(false);
  const { key, onClose } = useOpening(open && shown, () => setOpen(false));
  const show = (method: PayoutMethod, view: MethodView) => {
    setShown({ method, view });
    setOpen(true);
  };
  const methods = saved.data ?? [];
  return (
    <Screen
      back
      title={t(`wallet.methods.${kind}.title`)}
      scroller={scroller}
      onRefresh={saved.refetch}
      actions={
        <Link
          to={addMethodPath(kind)}
          className={iconButtonClass}
          aria-label={t(`wallet.methods.${kind}.add`)}
          title={t(`wallet.methods.${kind}.add`)}
        >
          <Plus size={20} />
        </Link>
      }
    >
      {saved.data && saved.failure && <NotRefreshed onRetry={saved.refetch} />}
      <Missing request={saved}>
        <ListSkeleton />
      </Missing>
      {saved.data && methods.length === 0 && (
        <EmptyState
          icon={<BookmarkPlus size={24} />}
          title={t(`wallet.methods.${kind}.empty`)}
          action={
            <ButtonLink to={addMethodPath(kind)}>{t(`wallet.methods.${kind}.add`)}</ButtonLink>
          }
        >
          {t(`wallet.methods.${kind}.emptyHint`)}
        </EmptyState>
      )}
      <ul aria-label={t(`wallet.methods.${kind}.title`)}>
        {methods.map((method) => (
          <li key={method.id}>
            <SwipeRow
              label={t('wallet.methods.delete', { method: methodText(method) })}
              button={<Trash2 size={20} />}
              onAct={() => show(method, 'delete')}
            >
              <MethodRow method={method} onOpen={() => show(method, 'facts')} />
            </SwipeRow>
          </li>
        ))}
      </ul>
      {shown && (
        <MethodSheet
          key={key}
          method={shown.method}
          first={shown.view}
          open={open}
          onClose={onClose}
        />
      )}
    </Screen>
  );
}

function MethodRow({ method, onOpen }: { method: PayoutMethod; onOpen(): void }) {
  const { kind, address, bankName, payeeName, payeeAccount, currency, remark } = method;
  return (
    <Row
      plain
      onClick={onOpen}
      title={<bdi>{remark || (kind === 'coin' ? address : bankName)}</bdi>}
      detail={
        kind === 'coin' ? (
          remark && <bdi>{address}</bdi>
        ) : (
          <>
            {payeeName} · <bdi>{payeeAccount}</bdi>
          </>
        )
      }
      figure={<bdi>{currencyText(currency)}</bdi>}
    />
  );
}
