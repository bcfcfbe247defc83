import { signal } from '@preact/signals-core';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { PayoutMethod } from '#domain/api/wallet';
import { success } from '#domain/core/result';
import AlertSheet from '../../src/alerts/AlertSheet';
import { openAlertForm } from '../../src/alerts/alertWish';
import KeyboardSheet from '../../src/app/KeyboardSheet';
import { LayoutNameSheet } from '../../src/app/workspace/LayoutNameSheet';
import { AreaPicker } from '../../src/features/account/AreaPicker';
import { ProofSheet } from '../../src/features/account/security/ProofSheet';
import ChartSheet from '../../src/features/trading/chart/chartTypes/ChartSheet';
import { IndicatorsSheet } from '../../src/features/trading/chart/indicators/IndicatorsSheet';
import { indicatorsOpen } from '../../src/features/trading/chart/indicators/indicatorsOpen';
import type { LiveChart } from '../../src/features/trading/chart/liveChart';
import { TextSheet } from '../../src/features/trading/drawings/TextSheet';
import { InstrumentSheet } from '../../src/features/trading/InstrumentSheet';
import { CloseAll } from '../../src/features/trading/orders/CloseAll';
import { HistoryActions } from '../../src/features/trading/orders/HistoryActions';
import OrderChoice from '../../src/features/trading/orders/OrderChoice';
import { OrderSheet } from '../../src/features/trading/orders/OrderSheet';
import { PositionSheet } from '../../src/features/trading/orders/PositionSheet';
import { actionOn } from '../../src/features/trading/orders/positionAction';
import { OrderBar } from '../../src/features/trading/ticket/OrderBar';
import { MethodListScreen } from '../../src/features/wallet/MethodListScreen';
import { PayoutSheet } from '../../src/features/wallet/PayoutSheet';
import { showLanguage } from '../../src/i18n/i18n';
import { addIndicator, chosen } from '../../src/instruments/indicatorSettings';
import { Watchlists } from '../../src/instruments/Watchlists';
import type { WatchlistsView } from '../../src/instruments/WatchlistsSheet';
import { watchlists } from '../../src/preferences/watchlists';
import { keyboardShown } from '../../src/shortcuts/shown';
import { useValue } from '../../src/useValue';
import { user } from '../../src/worker/trading';
import { drawn } from '../helpers/samples';
import { EURUSD, order, price } from './features/sampleOrder';
import { findSheet, renderSettled, settle } from './rendering';
import { listRow, scriptWorkerApi } from './scriptedWorkerApi';

/** One of two things that a sheet is opened for. */
type Of = 'a' | 'b';

interface Case {
  render(): ReactNode;
  open(of: Of): void | Promise<void>;
  /** What the user presses in it, and what the worker reports meanwhile. */
  use?: (worker: ReturnType<typeof scriptWorkerApi>) => Promise<void>;
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const pressWithin = async (name: string | RegExp) =>
  userEvent.click(within(await findSheet()).getByRole('button', { name }));

/** A sheet whose owner says what it is open for. */
function owned(sheet: (of: Of | undefined, close: () => void) => ReactNode): Case {
  const opened = signal<Of | undefined>(undefined);
  const Owner = () => sheet(useValue(opened), () => (opened.value = undefined));
  return {
    render: () => <Owner />,
    open: (of) => {
      opened.value = of;
    },
  };
}

const FIRST = EURUSD;
const SECOND = { ...EURUSD, id: 2, code: 'GOLD', name: 'Gold' };
const exitsOf = (name: string) =>
  actionOn(
    'exits',
    [1, 2].map((id) => order({ id, name })),
  );
const EXITS = { a: exitsOf('Name a'), b: exitsOf('Name b') };
const METHODS = (['a', 'b'] as const).map((name, index) => ({
  ...{ id: index + 1, kind: 'coin', address: `address ${name}`, remark: '', usableAt: undefined },
  ...{ bankName: '', bankAddress: '', bankSwift: '', branchName: '', payeeName: '' },
  ...{ payeeAccount: '', currency: { id: 1, code: 'USDT', protocol: 'TRC20' } },
})) as PayoutMethod[];
const AREAS = ['China', 'India'].map((name, id) => ({ id, code: name, globalCode: `${id}`, name }));
const LIVE = {} as LiveChart;
const NO_STATE = 'it keeps nothing that a user changes';

/** Each file with a sheet: how it is used twice, or why it needs no trial. */
const SHEETS: Record<string, Case | string> = {
  'alerts/AlertSheet': {
    render: () => <AlertSheet />,
    open: (of) => openAlertForm(of === 'a' ? 'EURUSD' : 'GOLD'),
  },
  'app/KeyboardSheet': {
    render: () => <KeyboardSheet />,
    open: () => {
      keyboardShown.value = 'palette';
    },
  },
  'app/workspace/LayoutNameSheet': owned((of, close) => (
    <LayoutNameSheet
      naming={of && { kind: 'rename', id: `own-${of}` as never }}
      nameOf={(id) => `Layout ${id}`}
      onClose={close}
      onDelete={() => {}}
    />
  )),
  'features/account/AreaPicker': {
    render: () => <AreaPicker area={AREAS[0] as never} areas={AREAS} onPick={() => {}} />,
    open: () => press(/China/),
  },
  'features/account/LogoutRow': NO_STATE,
  'features/account/OrderTimeRow': NO_STATE,
  'features/account/SyncRow': 'its setting is kept on the device',
  'features/account/UserRows': NO_STATE,
  'features/account/security/ProofSheet': {
    ...owned((of, onClose) => (
      <ProofSheet
        open={of !== undefined}
        onClose={onClose}
        title={`Do ${of}`}
        ask="Sure?"
        send={() => new Promise(() => {})}
        onDone={() => {}}
      />
    )),
    use: () => pressWithin('Do a'),
  },
  'features/market/AppearanceSheet': 'its settings are kept on the device',
  'features/mining/ConfirmSubscription': NO_STATE,
  'features/mining/RecordScreen': NO_STATE,
  'features/ranking/RankScreen': NO_STATE,
  'features/search/CompanySearch': NO_STATE,
  'features/trading/InstrumentHeader': 'another instrument has other boxes',
  'features/trading/InstrumentSheet': owned((of, close) => (
    <InstrumentSheet
      open={of !== undefined}
      current={of === 'a' ? FIRST : SECOND}
      onClose={close}
    />
  )),
  'features/trading/chart/OrderChart': 'tests/e2e/chartTrading.spec.ts drags two lines',
  'features/trading/chart/PriceMenu': 'it needs a canvas; tests/e2e/chartTrading.spec.ts',
  'features/trading/chart/indicators/IndicatorsSheet': {
    render: () => (
      <IndicatorsSheet onAlert={() => {}} live={LIVE} all={chosen.peek()} shown={chosen.peek()} />
    ),
    open: () => {
      indicatorsOpen.value = LIVE;
    },
    use: () => pressWithin(/^Settings of|^Edit|^Change/),
  },
  'features/trading/chart/chartTypes/ChartSheet': {
    ...owned((of, onClose) => (
      <ChartSheet
        first="settings"
        open={of !== undefined}
        onClose={onClose}
        live={LIVE}
        instrument={FIRST}
        period="1min"
      />
    )),
    use: () => pressWithin('Go to a date'),
  },
  'features/trading/drawings/DrawingsSheet': 'its one message is in its content',
  'features/trading/drawings/StyleChoice': NO_STATE,
  'features/trading/drawings/TextSheet': owned((of, onClose) => (
    <TextSheet open={of !== undefined} text={`Text ${of}`} onClose={onClose} onDone={() => {}} />
  )),
  'features/trading/orders/CloseAll': {
    render: () => <CloseAll />,
    open: () => press('Close all'),
  },
  'features/trading/orders/HistoryActions': {
    render: () => <HistoryActions name="all" period={undefined} onPeriod={() => {}} />,
    open: () => press('Period'),
  },
  'features/trading/orders/OrderChoice': owned((of, onClose) => (
    <OrderChoice
      orders={of && [1, 2].map((id) => order({ id, name: `Name ${of}` }))}
      onClose={onClose}
    />
  )),
  'features/trading/orders/OrderSheet': {
    ...owned((of, onClose) => (
      <OrderSheet order={of && order({ id: of === 'a' ? 1 : 2 })} view="fields" onClose={onClose} />
    )),
    async use(worker) {
      await act(async () => worker.hasOpen(order({ id: 1, takeProfit: price('1.5') })));
      await pressWithin('Close order');
    },
  },
  'features/trading/orders/PositionSheet': {
    ...owned((of, onClose) => (
      <PositionSheet action={of && EXITS[of]} held={[]} onAction={onClose} />
    )),
    use: async () =>
      userEvent.click(within(await findSheet()).getByRole('checkbox', { name: 'Take-profit' })),
  },
  'features/trading/pastTrades/PastTrades': NO_STATE,
  'features/trading/practice/PracticeSession':
    'its form and its order have keys of their own; tests/e2e/practice.spec.ts',
  'features/trading/ticket/OrderBar': {
    render: () => <OrderBar row={listRow(1, { instrument: FIRST })} />,
    open: (of) => press(of === 'a' ? 'Buy' : 'Sell'),
  },
  'features/trading/ticket/PlacedSheet': NO_STATE,
  'features/wallet/ConfirmWithdrawal': 'PayoutSheet is tried by itself',
  'features/wallet/MethodField': NO_STATE,
  'features/wallet/MethodForm': 'PayoutSheet is tried by itself',
  'features/wallet/MethodSheet': {
    render: () => <MethodListScreen />,
    open: async (of) =>
      userEvent.click(await screen.findByRole('button', { name: new RegExp(`^address ${of}`) })),
    use: () => pressWithin('Delete'),
  },
  'features/wallet/WithdrawForm': NO_STATE,
  'features/wallet/PayoutSheet': {
    ...owned((of, onClose) => (
      <PayoutSheet
        open={of !== undefined}
        onClose={onClose}
        title="Payout"
        ask="Sure?"
        facts={[]}
        label="Pay out"
        purpose="draw"
        payout={{ draw_currency_id: 1, draw_method_id: of === 'a' ? 1 : 2, number: '1' }}
        send={() => new Promise(() => {})}
        onDone={() => {}}
      />
    )),
    // Without a code it is refused.
    async use() {
      const code = within(await findSheet()).getByRole('textbox');
      fireEvent.change(code, { target: { value: '' } });
      await pressWithin('Pay out');
    },
  },
  'features/wallet/WithdrawScreen': NO_STATE,
  'instruments/WatchlistsSheet': {
    ...owned((of, close) => (
      <Watchlists
        view={of && ({ at: 'rename', id: `list-${of}` } as WatchlistsView)}
        onView={close}
        onCreated={() => {}}
      />
    )),
  },
  'positions/AccountSummaryList': NO_STATE,
  'ui/ConfirmSheet': NO_STATE,
};

beforeEach(async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  await showLanguage('en');
  user.value = { id: 1, uid: '1', email: 'a@b.c', mobile: '', demo: false, inviteCode: '' };
  watchlists.value = ['a', 'b'].map((name) => ({
    id: `list-${name}` as const,
    name: `List ${name}`,
    instruments: [],
  }));
  chosen.value = [];
  addIndicator('rsi');
});

function script() {
  const worker = scriptWorkerApi(
    [FIRST, SECOND].map(({ id, ...rest }) => listRow(id, { instrument: { id, ...rest } })),
  );
  worker.answers['wallet.payoutMethods'] = async () => success(METHODS);
  worker.answers['security.passkeyList'] = async () =>
    success(['a', 'b'].map((of, id) => ({ id, name: `key ${of}` }))) as never;
  const orders = [order({ id: 1 }), order({ id: 2, instrumentId: 2, name: 'Gold' })];
  const window = { total: 2, from: 0, orders, profit: '0', loading: false, failure: undefined };
  Object.assign(worker.scripted, {
    watchOrders: async () => undefined,
    setTicket: async () => undefined,
    orders: async () => success(window),
    ordersOf: async () => orders,
    accountSettings: async () =>
      success({
        ...{
          byCaptcha: false,
          mobile: false,
          chat: undefined,
          drawVerify: true,
          judgedAtQuote: false,
        },
        features: ['partial_close', 'trailing_stop'],
      }),
  });
  return worker;
}

/** What a sheet says and holds: words, and the state of its fields. */
async function shown(): Promise<unknown> {
  const dialog = await findSheet();
  await settle();
  const fields = [...dialog.querySelectorAll<HTMLInputElement>('input, textarea, select')];
  return {
    text: dialog.textContent,
    fields: fields.map(({ value, checked }) => [value, checked]),
    pressed: [...dialog.querySelectorAll('[aria-pressed], [aria-checked], [aria-selected]')].map(
      (each) => [each.ariaPressed, each.ariaChecked, each.ariaSelected],
    ),
  };
}

async function close(): Promise<void> {
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

const tried = Object.entries(SHEETS).filter(
  (entry): entry is [string, Case] => typeof entry[1] !== 'string',
);

describe('a sheet that is opened again shows what a new one would', () => {
  test.each(drawn(tried, 5))('%s', async (_, { render, open, use }) => {
    const worker = script();
    const begin = () => renderSettled(<MemoryRouter>{render()}</MemoryRouter>);
    const show = (of: Of) => act(async () => open(of));

    await begin();
    await show('a');
    await shown();
    const dialog = screen.getByRole('dialog');
    for (const field of dialog.querySelectorAll<HTMLInputElement>('input')) {
      if (['radio', 'checkbox', 'file'].includes(field.type)) continue;
      const value = field.type === 'date' ? '2020-01-01' : `${field.value}7`;
      fireEvent.change(field, { target: { value } });
    }
    for (const choice of within(dialog).queryAllByRole('radio').slice(-1))
      await userEvent.click(choice);
    await use?.(worker);
    const used = await shown();
    await close();
    await show('b');
    const second = await shown();
    await close();

    cleanup();
    await begin();
    await show('b');
    expect(second).toEqual(await shown());
    // The trial has changed something.
    expect(used).not.toEqual(second);
    await close();
  });

  test('each file with a sheet is tried, or says why not', () => {
    const files = import.meta.glob<string>('/src/**/*.tsx', {
      query: '?raw',
      import: 'default',
      eager: true,
    });
    const names = Object.entries(files).flatMap(([file, text]) =>
      /<(Sheet|ConfirmSheet|PayoutSheet)\b/.test(text) ? [file.slice(5, -4)] : [],
    );
    expect(names.sort()).toEqual(Object.keys(SHEETS).sort());
  });
});
