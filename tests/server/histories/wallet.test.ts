import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CODE_OK } from '#domain/api/envelope';
import { createWallet, type Wallet } from '../../../server/wallet/wallet';
import { inTurn, largeCount, seed, seeds, tally } from '../../helpers/samples';
import { problemsOf } from '../../histories/checkHistory';
import { type RecordedAccount, Recorder } from '../../histories/history';
import { LAST_READS } from '../../histories/randomCalls';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { onEachDatabase } from '../support/database';
import { startBackend, type TestUser } from '../support/testBackend';

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const DEPOSITED_TO = 'bc1qsandx0xd0n0tsendrealc00nsherexxxxxxxxxx';
const DRAW = '/api/account/draw';
const PHONES = 3;
const CALLS = 10;
const LISTS = ['/api/account/draw_list?type=1', '/api/quickCharge/quick_ist?type=0'];

onEachDatabase((database) => {
  describe('histories of users who pay in and out while they trade', () => {
    const runs = seeds(1, 500, 20);
    inTurn(it)(
      `${runs} of them are linearizable`,
      () =>
        largeCount(`histories of wallets, ${database.name}`, runs, async (progress) => {
          const happened: Record<string, number> = {};
          for (let run = seed; run < seed + runs && progress(run - seed); run++)
            await expectRight(run, happened);
          return `linearizable; ${tally(happened)}`;
        }),
      21_600_000,
    );
  });

  async function expectRight(run: number, happened: Record<string, number>): Promise<void> {
    const random = new SeededRandom(run);
    let wallet: Wallet | undefined;
    const backend = await startBackend(database.db, (app, parts) => {
      wallet = createWallet(parts);
      wallet.routes(app);
    });
    try {
      const recorder = new Recorder();
      await backend.market.tick([1, 1.1]);
      const user = await backend.user('1000');
      const account = recorder.account('user', '1000');
      const bound = { draw_id: 1, type: 1, dc_address: ADDRESS };
      const method = (await user.post('/api/wallet/bind_draw_method', bound)).data.id;
      const waiting: { kind: 'withdrawals' | 'deposits'; id: number }[] = [];
      const orders: number[] = [];
      const reviews = async () => {
        const [review] = waiting.splice(0, 1);
        if (!review || !wallet) return;
        const { reviews } = wallet[review.kind];
        const isApproved = random.chance(0.5);
        await backend.transactions.run((work) =>
          isApproved ? reviews.approve(work, review.id) : reviews.reject(work, review.id, 'No'),
        );
        happened[isApproved ? 'approved' : 'rejected'] =
          (happened[isApproved ? 'approved' : 'rejected'] ?? 0) + 1;
      };
      const draw = async () => {
        const number = random.pick(['100', '350', '700']);
        const params = { draw_currency_id: 1, number, memo: '', draw_method_id: method };
        const { code, data } = await call(user, account, DRAW, params, true);
        if (code === CODE_OK) waiting.push({ kind: 'withdrawals', id: data.id });
        return `draw ${code}`;
      };
      const deposit = async () => {
        const proofImg = await backend.picture(user.id);
        const params = { number: '0.001', proofImg, address: DEPOSITED_TO, charge_id: 4 };
        const { code, data } = await call(user, account, '/api/quickCharge/submit', params, true);
        if (code === CODE_OK) waiting.push({ kind: 'deposits', id: data.id });
        return `deposit ${code}`;
      };
      const submit = async () => {
        const order = { type: 1, forex_id: 1, status: 1, cont: '0.1', multiple: 100 };
        const { code, data } = await call(user, account, '/v1/api/forex/submit', order, true);
        if (code === CODE_OK) orders.push(data.Id);
        return `submit ${code}`;
      };
      const close = async () => {
        const [id = 0] = orders.splice(0, 1);
        const { code } = await call(user, account, '/v1/api/forex/close', { id }, true);
        return `close ${code}`;
      };
      const look = async () => {
        await read(user, account, random.pick([...LAST_READS, ...LISTS]));
        return 'read';
      };
      const phone = async () => {
        for (let done = 0; done < CALLS; done++) {
          const what = await random.pick([draw, draw, deposit, submit, close, look, look])();
          happened[what] = (happened[what] ?? 0) + 1;
          if (random.chance(0.3)) await reviews();
          await nextTurn();
        }
      };
      await Promise.all(Array.from({ length: PHONES }, phone));
      for (const address of [...LAST_READS, ...LISTS]) await read(user, account, address);
      expect(problemsOf(recorder), `SEED=${run}`).toEqual([]);
    } finally {
      await backend.close();
    }
  }
});

type Answer = Awaited<ReturnType<TestUser['get']>>;

async function call(
  user: TestUser,
  account: RecordedAccount,
  path: string,
  params: Record<string, string | number>,
  changes: boolean,
): Promise<Answer> {
  const key = changes ? randomUUID() : undefined;
  const query = new URLSearchParams(params as Record<string, string>);
  const recorded = account.invoke(`${path}?${query}`, key);
  const answer = await (path === DRAW ? user.post : user.get)(path, params, key);
  recorded.answered(answer);
  return answer;
}

function read(user: TestUser, account: RecordedAccount, address: string): Promise<Answer> {
  const { pathname, searchParams } = new URL(address, 'http://server');
  return call(user, account, pathname, Object.fromEntries(searchParams), false);
}
