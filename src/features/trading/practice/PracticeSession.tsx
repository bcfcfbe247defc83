import { Flag, Pause, Play, StepForward } from 'lucide-react';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { parseDecimal, toText } from '#domain/core/decimal';
import { type Done, failed, type Result, success } from '#domain/core/result';
import type { ListRow } from '#domain/market/list';
import type { Order, Side } from '#domain/trading/order';
import { PRACTICE_SPEEDS, type PracticeSpeed, type PracticeState } from '#domain/worker/practice';
import { formatAmount, formatCount, formatDateTime } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { lotsText } from '../../../positions/lotsText';
import { type PracticeOrders, PracticeOrdersContext } from '../../../positions/practiceOrders';
import { Button, IconButton } from '../../../ui/Button';
import { ConfirmSheet } from '../../../ui/ConfirmSheet';
import { classes } from '../../../ui/classes';
import { Ltr } from '../../../ui/Ltr';
import { ScreenHeader } from '../../../ui/ScreenHeader';
import { Segmented } from '../../../ui/Segmented';
import { Sheet } from '../../../ui/Sheet';
import { useOpening } from '../../../ui/useOpening';
import { steadyTime } from '../../../worker/age';
import { practise } from '../../../worker/practice';
import { LiveChart } from '../chart/liveChart';
import { ToolButtons } from '../chart/ToolButtons';
import { useToolsOpen } from '../drawings/toolsOpen';
import { LivePrice } from '../LivePrice';
import { OrderRow } from '../orders/OrderRow';
import { ButtonPrice } from '../ticket/ButtonPrice';
import bar from '../ticket/OrderBar.module.css';
import { OrderForm } from '../ticket/OrderForm';
import styles from './Practice.module.css';
import { PracticeChart } from './PracticeChart';
import { PracticeOrder } from './PracticeOrder';
import { PracticeResult } from './PracticeResult';

/** A session that is played, or is over. */
export function PracticeSession({ state }: { state: PracticeState }) {
  const t = useT();
  // Each frame has it anew; it stays as it is.
  const [instrument] = useState(state.instrument);
  const row = useRow(instrument);
  const orders = useSame(state.open);
  const [opened, setOpened] = useState<Order>();
  const order = orders.find(({ id }) => id === opened?.id);
  const { key, onClose } = useOpening(order?.id, () => setOpened(undefined));
  const [side, setSide] = useState<Side>();
  const closeForm = useCallback(() => setSide(undefined), []);
  const [ending, setEnding] = useState(false);
  // All bars come at once.
  const [live] = useState(() => new LiveChart(async () => success(undefined)));
  const drawing = useToolsOpen() === live;
  const practiceOrders = usePractice(state, row.row, closeForm);
  // The chart is there, and gets all bars.
  useEffect(() => void practise({ do: 'show' }), []);
  return (
    <PracticeOrdersContext value={practiceOrders}>
      <ScreenHeader title={t('practice.title')} back>
        <ToolButtons live={live} />
        {!state.isOver && (
          <IconButton label={t('practice.end')} onClick={() => setEnding(true)}>
            <Flag size={20} />
          </IconButton>
        )}
      </ScreenHeader>
      <p className={styles.badge}>{t('practice.badge')}</p>
      <div className={styles.price}>
        <h2>
          <span translate="no">{instrument.name}</span>
          <time className="caption">{formatDateTime(state.time)}</time>
        </h2>
        <LivePrice instrument={instrument} seed={row.seed} />
      </div>
      <div className={styles.chart} data-drawing={drawing || undefined}>
        <PracticeChart
          live={live}
          instrument={instrument}
          period={state.period}
          orders={orders}
          onOrder={setOpened}
        />
      </div>
      <Controls state={state} />
      <div className={styles.side}>
        <Account state={state} />
        {orders.length > 0 && (
          <ul aria-label={t('orders.title')}>
            {orders.map((each) => (
              <li key={each.id}>
                <OrderRow order={each} onOpen={setOpened} />
              </li>
            ))}
          </ul>
        )}
        {state.isOver && <PracticeResult closed={state.closed} swap={state.swap} />}
      </div>
      {!state.isOver && <Bar row={row.row} onSide={setSide} />}
      <Sheet low open={side !== undefined} onClose={closeForm} title={t('practice.title')}>
        <p className={styles.badge}>{t('practice.badge')}</p>
        {side && <OrderForm row={row.row} side={side} />}
      </Sheet>
      <Sheet
        open={order !== undefined}
        onClose={onClose}
        title={order ? `${t(`orders.side.${order.side}`)} ${lotsText(order.lots)}` : ''}
      >
        {order && (
          <PracticeOrder key={key} order={order} instrument={instrument} onDone={onClose} />
        )}
      </Sheet>
      <ConfirmSheet
        open={ending}
        onClose={() => setEnding(false)}
        title={t('practice.end')}
        text={t('practice.endAsk')}
        button={
          <Button
            variant="primary"
            onClick={() => {
              setEnding(false);
              void practise({ do: 'end' });
            }}
          >
            {t('practice.end')}
          </Button>
        }
      />
    </PracticeOrdersContext>
  );
}

/** What the forms of the account do in a session. */
function usePractice({ id, time }: PracticeState, row: ListRow, onPlaced: () => void) {
  const now = useRef(time);
  useLayoutEffect(() => {
    now.current = time;
  }, [time]);
  const drawings = `fulcrum.practice.${id}`;
  useEffect(() => forgetOtherDrawings(drawings), [drawings]);
  return useMemo<PracticeOrders>(
    () => ({
      row,
      drawings,
      now: () => now.current,
      setTicket: (ticket) => void practise({ do: 'ticket', ticket }),
      place(ticket) {
        void practise({ do: 'submit', ticket }).then(({ ok }) => ok && onPlaced());
      },
      setChange: (change) => void practise({ do: 'change', change }),
      amendOrder: (id, terms) => done(practise({ do: 'amend', id, terms })),
      setExits: (id, exits) => done(practise({ do: 'exits', id, ...exits })),
    }),
    [row, drawings, onPlaced],
  );
}

async function done(doing: Promise<Result<void>>): Promise<Result<Done<Order>>> {
  const result = await doing;
  return result.ok ? success({ data: undefined, text: '' }) : failed(result.failure);
}

/** The drawings of a session go with it. */
function forgetOtherDrawings(kept: string): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('fulcrum.practice.') && key !== kept) localStorage.removeItem(key);
  } catch {
    // Where nothing can be stored, there are none.
  }
}

/** The instrument as a row of the list, whose quote comes with the frames. */
function useRow(instrument: PracticeState['instrument']) {
  return useMemo(() => {
    const unknown = Number.NaN;
    const quote = { close: unknown, open: unknown, change: unknown, time: undefined };
    const arrived = steadyTime();
    const row: ListRow = {
      instrument,
      quote: { ...quote, marketOpen: true },
      arrived,
      stale: false,
      nextOpen: undefined,
    };
    return { row, seed: { ...row.quote, arrived, stale: false } };
  }, [instrument]);
}

/** The orders as before while only prices have moved: what is drawn of them follows `Frame.profits`. */
function useSame(orders: readonly Order[]): readonly Order[] {
  const text = orders
    .map(({ id, status, lots, originPrice, price, stopLoss, takeProfit, trailing, until }) =>
      [
        id,
        status,
        until,
        ...[lots, originPrice, price, stopLoss, takeProfit, trailing].map(toText),
      ].join(),
    )
    .join(';');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for them
  return useMemo(() => orders, [text]);
}

function Controls({ state }: { state: PracticeState }) {
  const t = useT();
  const { speed, isOver, bars, total } = state;
  const [chosen, choose] = useState<PracticeSpeed>(speed ?? 60);
  const playing = speed !== undefined;
  return (
    <fieldset className={styles.controls} aria-label={t('practice.replay')}>
      <IconButton
        label={t('practice.bar')}
        disabled={isOver || playing}
        onClick={() => void practise({ do: 'bar' })}
      >
        <StepForward size={20} />
      </IconButton>
      <IconButton
        label={t(playing ? 'practice.pause' : 'practice.play')}
        disabled={isOver}
        onClick={() => void practise(playing ? { do: 'pause' } : { do: 'play', speed: chosen })}
      >
        {playing ? <Pause size={20} /> : <Play size={20} />}
      </IconButton>
      <Segmented<PracticeSpeed>
        label={t('practice.speed')}
        options={PRACTICE_SPEEDS.map((value) => ({
          value,
          label: t('common.times', { value: formatCount(value) }),
        }))}
        value={chosen}
        onChange={(next) => {
          choose(next);
          if (playing) void practise({ do: 'play', speed: next });
        }}
      />
      <p className={styles.count}>
        <Ltr>{`${formatCount(bars)} / ${formatCount(total)}`}</Ltr>
      </p>
    </fieldset>
  );
}

function Account({ state: { account } }: { state: PracticeState }) {
  const t = useT();
  const usd = (text: string, sign: 'auto' | 'always' = 'auto') => {
    const amount = parseDecimal(text);
    return amount && <Ltr>{formatAmount(amount, 2, sign)}</Ltr>;
  };
  return (
    <dl className={styles.account}>
      <div>
        <dt>{t('account.equity')}</dt>
        <dd>{usd(account.equity)}</dd>
      </div>
      <div>
        <dt>{t('account.available')}</dt>
        <dd>{usd(account.available)}</dd>
      </div>
      <div>
        <dt>{t('account.profit')}</dt>
        <dd>{usd(account.profit, 'always')}</dd>
      </div>
    </dl>
  );
}

function Bar({ row, onSide }: { row: ListRow; onSide(side: Side): void }) {
  const t = useT();
  const prices = useId();
  return (
    <div className={classes(bar.bar, styles.bar)}>
      {(['buy', 'sell'] as const).map((side) => (
        <Button
          key={side}
          variant={side === 'buy' ? 'up' : 'down'}
          aria-describedby={prices + side}
          onClick={() => onSide(side)}
        >
          <ButtonPrice id={prices + side} row={row} side={side}>
            {t(`trade.${side}`)}
          </ButtonPrice>
        </Button>
      ))}
    </div>
  );
}
