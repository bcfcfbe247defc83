import { Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { User } from '#domain/account/user';
import { isZero, negate, toNumber } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { netResult } from '#domain/trading/profit';
import type { ResultTotals, Trade } from '#domain/trading/results';
import {
  type AccountParts,
  MOVEMENT_KINDS,
  type Movement,
  type Statement,
  statementBalance,
  statementLines,
} from '#domain/wallet/statement';
import {
  formatAmount,
  formatCount,
  formatExactTime,
  formatPrice,
  formatSeconds,
} from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { lotsText } from '../../../positions/lotsText';
import { FailedRequest } from '../../../requests/FailedRequest';
import { Button } from '../../../ui/Button';
import { type Fact, Facts } from '../../../ui/Facts';
import { Ltr } from '../../../ui/Ltr';
import { Page } from '../../../ui/Page';
import { RowSkeleton } from '../../../ui/RowSkeleton';
import { saveFile } from '../../../ui/saveFile';
import { useValue } from '../../../useValue';
import { marketNow } from '../../../worker/marketNow';
import { user } from '../../../worker/trading';
import { workerApi } from '../../../worker/workerApi';
import { datesOf, periodText } from './period';
import styles from './StatementScreen.module.css';
import { decimalsOf, hasSwap, statementCsv } from './statementText';
import { useLoading } from './useLoading';
import { usePeriod } from './usePeriod';

/** `/mine/statement` (screens.md#account-statement): a period in full, to print or to save. */
export function StatementScreen() {
  const t = useT();
  const [query] = useSearchParams();
  const currentUser = useValue(user);
  const { period } = usePeriod(query.get('period'));
  const { data, failure, retry } = useLoading(period, workerApi.statement);
  const statement = data?.statement;
  return (
    <Page title={t('results.statement.title')} flush>
      {!statement && !failure && (
        <div role="status" aria-label={t('common.loading')}>
          {data && (
            <p className={styles.note}>
              {t('results.loading', { loaded: formatCount(data.loaded) })}
            </p>
          )}
          {[0, 1, 2, 3].map((row) => (
            <RowSkeleton key={row} />
          ))}
        </div>
      )}
      {!statement && failure && <FailedRequest failure={failure} onRetry={retry} />}
      {statement && currentUser && (
        <>
          <div className={styles.actions}>
            <Button variant="primary" onClick={() => print()}>
              <Printer size={20} />
              {t('results.statement.print')}
            </Button>
            <Button
              onClick={() => {
                const [first, last] = datesOf(period);
                const name = period.from > 0 ? `${first}-${last}` : last;
                saveFile(statementCsv(statement), `fulcrum-statement-${name}.csv`, 'text/csv');
              }}
            >
              <Download size={20} />
              {t('results.statement.save')}
            </Button>
          </div>
          <Paper statement={statement} parts={data.parts} owner={currentUser} />
        </>
      )}
    </Page>
  );
}

interface PaperProps {
  statement: Statement;
  parts: AccountParts | undefined;
  owner: User;
}

function Paper({ statement, parts, owner }: PaperProps) {
  const t = useT();
  const digits = decimalsOf(statement, parts);
  const money = (amount: Usd, sign: 'auto' | 'always' = 'auto') => (
    <Ltr>{formatAmount(amount, digits, sign)}</Ltr>
  );
  const { trades, movements, moved, opening, closing, totals, period } = statement;
  const { profit, fees, swap } = totals;
  const begun = statementLines(statement)[0]?.time;
  const about: Fact[] = [
    {
      name: t('results.statement.account'),
      value: <Ltr>{owner.uid}</Ltr>,
    },
    {
      name: t('results.statement.name'),
      value: owner.demo ? t('account.demoAccount') : <Ltr>{owner.email || `+${owner.mobile}`}</Ltr>,
    },
    { name: t('results.period'), value: periodText(period, begun) },
    { name: t('results.statement.issued'), value: formatExactTime(marketNow()) },
    {
      name: t('results.statement.zone'),
      value: <Ltr>{Intl.DateTimeFormat().resolvedOptions().timeZone}</Ltr>,
    },
    { name: t('results.statement.currency'), value: 'USD' },
  ];
  const sum: Fact[] = [
    { name: t('results.statement.opening'), value: money(opening) },
    ...MOVEMENT_KINDS.filter((kind) => !isZero(moved[kind])).map((kind) => ({
      name: t(`results.statement.${kind}`),
      value: money(moved[kind], 'always'),
    })),
    { name: t('orders.field.profit'), value: money(profit, 'always') },
    { name: t('orders.field.fee'), value: money(negate(fees), 'always') },
    ...(hasSwap(trades) ? [{ name: t('orders.field.swap'), value: money(swap, 'always') }] : []),
  ];
  return (
    <article className={styles.paper}>
      <h2 className={styles.title}>{t('results.statement.title')}</h2>
      <Facts facts={about} />
      <h2>{t('results.statement.summary')}</h2>
      <Facts facts={sum} />
      <p className={styles.total}>
        <span>{t('results.statement.closing')}</span>
        {money(closing)}
      </p>
      {parts && <Today parts={parts} money={money} />}
      <h2>
        {t('orders.title')} <span className={styles.count}>{formatCount(trades.length)}</span>
      </h2>
      {trades.length === 0 ? (
        <p className={styles.none}>{t('results.statement.none')}</p>
      ) : (
        <OrdersTable trades={trades} totals={totals} money={money} />
      )}
      {movements.length > 0 && (
        <>
          <h2>{t('results.statement.movements')}</h2>
          <MovementsTable movements={movements} money={money} />
        </>
      )}
    </article>
  );
}

type Money = (amount: Usd, sign?: 'auto' | 'always') => ReactNode;

/** How the balance of the statement becomes that of the account, where the period has not ended. */
function Today({ parts, money }: { parts: AccountParts; money: Money }) {
  const t = useT();
  const { balance, openFees, openSwap } = parts;
  if (isZero(openFees) && isZero(openSwap)) return null;
  return (
    <>
      <h2>{t('results.statement.now')}</h2>
      <Facts
        facts={[
          { name: t('results.statement.closing'), value: money(statementBalance(parts)) },
          { name: t('results.statement.openFees'), value: money(negate(openFees), 'always') },
          ...(isZero(openSwap)
            ? []
            : [{ name: t('results.statement.openSwap'), value: money(openSwap, 'always') }]),
        ]}
      />
      <p className={styles.total}>
        <span>{t('account.balance')}</span>
        {money(balance)}
      </p>
    </>
  );
}

interface OrdersTableProps {
  trades: readonly Trade[];
  totals: ResultTotals;
  money: Money;
}

/** A table on paper. On a phone each order has three lines. */
function OrdersTable({ trades, totals, money }: OrdersTableProps) {
  const t = useT();
  const charged = hasSwap(trades);
  return (
    <table className={styles.orders}>
      <thead>
        <tr>
          {COLUMNS.filter((field) => charged || field !== 'swap').map((field) => (
            <th key={field} scope="col">
              {field === 'closingPrice' && `${t('orders.field.price')} / `}
              {t(`orders.field.${field}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {trades.map((trade) => (
          <tr key={trade.id}>
            <td className={styles.time}>{formatSeconds(trade.completedAt)}</td>
            <td className={styles.name} translate="no">
              {trade.name} <span className={styles.id}>{trade.id}</span>
            </td>
            <td>
              {t(`orders.side.${trade.side}`)} {lotsText(trade.lots)}
            </td>
            <td className={styles.prices}>
              <Ltr>
                {formatPrice(toNumber(trade.price), trade.precision)} →{' '}
                {formatPrice(toNumber(trade.updatePrice), trade.precision)}
              </Ltr>
            </td>
            <td className={styles.profit} data-label={t('orders.field.profit')}>
              {money(trade.profit, 'always')}
            </td>
            <td className={styles.fee} data-label={t('orders.field.fee')}>
              {money(trade.fee)}
            </td>
            {charged && (
              <td className={styles.swap} data-label={t('orders.field.swap')}>
                {money(trade.swap, 'always')}
              </td>
            )}
            <td className={styles.net}>{money(netResult(trade), 'always')}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={4}>
            {t('results.statement.total')}
          </th>
          <td className={styles.profit} data-label={t('orders.field.profit')}>
            {money(totals.profit, 'always')}
          </td>
          <td className={styles.fee} data-label={t('orders.field.fee')}>
            {money(totals.fees)}
          </td>
          {charged && (
            <td className={styles.swap} data-label={t('orders.field.swap')}>
              {money(totals.swap, 'always')}
            </td>
          )}
          <td className={styles.net}>{money(totals.net, 'always')}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const COLUMNS = [
  'completedAt',
  'name',
  'side',
  'closingPrice',
  'profit',
  'fee',
  'swap',
  'net',
] as const;

function MovementsTable({ movements, money }: { movements: readonly Movement[]; money: Money }) {
  return (
    <dl className={styles.movements}>
      {movements.map(({ id, time, text, value }) => (
        <div key={id}>
          <dt>
            {text}
            <span className={styles.time}>{formatSeconds(time)}</span>
          </dt>
          <dd>{money(value, 'always')}</dd>
        </div>
      ))}
    </dl>
  );
}
