import type { TestWorker, TestWorkerOptions } from '../support/testWorker';
import { createTestWorker, instrumentRow } from '../support/testWorker';

export const USER = {
  id: 7,
  uid: '123456789',
  email: 'ann@example.com',
  mobile: '',
  is_demo: 0,
  invite_code: 'ANN23456',
};
export const DEMO = { ...USER, id: 8, uid: '987654321', email: '', is_demo: 1, invite_code: '' };

export interface AccountWorker extends TestWorker {
  /** `user` of the last frame that had one. */
  user(): unknown;
  /** Starts the worker and waits for its first requests. */
  begin(): Promise<void>;
}

/** A worker whose server knows one user by the token `token`, and a demo user by `demo-token`. */
export function createAccountWorker(options?: TestWorkerOptions): AccountWorker {
  const made = createTestWorker([instrumentRow(1, 'EURUSD')], options);
  const users: Record<string, object> = { token: USER, 'demo-token': DEMO };
  made.server
    .on('/api/user/info', ({ headers }) => {
      const user = users[headers['authorization'] ?? ''];
      return user ? { data: user } : { code: 999, msg: 'Log in' };
    })
    .on('/api/user/loginForU', () => ({ data: { token: 'token', user: USER } }))
    .on('/api/user/register', () => ({ data: { token: 'token', user: USER } }))
    .on('/api/user/logout', () => ({ data: null }))
    .on('/api/user/createAccountDemoForU', () => ({ data: { token: 'demo-token', user: DEMO } }));
  return {
    ...made,
    user: () => made.shown.frames.findLast(({ user }) => user !== undefined)?.user,
    async begin() {
      made.start();
      await made.clock.advance(1000);
    },
  };
}
