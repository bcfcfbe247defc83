import type { User } from '#domain/account/user';
import { complaintEmail } from '#domain/api/account';
import { basicInfo } from '#domain/api/common';
import { parse } from '#domain/api/schema';
import { type Confirmed, failed, type Result, success } from '#domain/core/result';
import { uuidOf } from '#domain/core/uuid';
import type { AccountWorkerApi } from '#domain/worker/account';
import type { Storage } from '../core/ports';
import { UNREAD } from '../core/ports';
import { createSingleFlight } from '../core/singleFlight';
import type { Api } from '../http/api';
import { callRead } from '../http/ask';
import type { AskFeatures } from '../http/call';
import type { Http } from '../http/client';
import type { CurrentUser } from './currentUser';
import type { Session } from './session';
import { createUploads, type UploadsChanged } from './uploads';

/** Calls whose code is loaded by the first of them. */
export type AccountCalls = Omit<
  AccountWorkerApi,
  'signOut' | 'verificationDraft' | 'saveVerificationDraft'
>;

export interface CallsOptions {
  api: Api;
  http: Http;
  serverFeatures: AskFeatures;
  storage: Storage;
  session: Session;
  currentUser: Pick<CurrentUser, 'user' | 'signedIn' | 'update'>;
  /** Has the server end the session of a token. */
  endSession: (token: string) => Promise<unknown>;
  /** Another address that returns the complaint email where the server has none (protocol.md#complaint-email); empty: none. */
  complaintUrl: () => string;
  uploadsChanged: UploadsChanged;
}

/** What a login or registration returns. */
interface Entered {
  token: string;
  user: User;
}

/** The calls after which the worker does more than answer: those that begin or end a session, change the user, or upload. */
export function createAccountCalls(options: CallsOptions): {
  calls: AccountCalls;
  /** Cancels all uploads. */
  cancelUploads: () => void;
} {
  const { api, http, serverFeatures, storage, session, currentUser, endSession } = options;
  const uploads = createUploads(api, options.uploadsChanged);

  const sendDemo = createDemoLogin(api, storage);
  /** The login that the user has asked for last, and the session that it is to replace. */
  let last: { sent: Promise<unknown>; token: string } | undefined;

  /** Only the login that the user has asked for last enters, and no other session that began meanwhile is replaced. */
  async function enter(sent: Promise<Result<Confirmed<Entered>>>): Promise<Result<User>> {
    const former = last;
    last = { sent, token: session.token };
    const result = await sent;
    if (!result.ok) {
      if (last.sent === sent) last = former;
      return result;
    }
    const entered = result.data.data;
    const { token } = session;
    if (token !== entered.token) {
      if (last?.sent !== sent || (token && token !== last.token)) {
        void endSession(entered.token);
        return failed({ kind: 'cancelled' });
      }
      // A change of account is a logout of the former one.
      if (token) void endSession(token);
    }
    currentUser.signedIn(entered);
    return success(entered.user);
  }

  /** Calls `succeeded` once that is done, unless the session that it was done in is over. */
  async function inSession<T>(
    sent: Promise<Result<T>>,
    succeeded: (done: T) => void,
  ): Promise<Result<T>> {
    const { token } = session;
    const result = await sent;
    if (result.ok && token === session.token) succeeded(result.data);
    return result;
  }

  const account: AccountCalls = {
    async accountSettings() {
      const [info, features, mobile] = await Promise.all([
        callRead(http, basicInfo, {}),
        serverFeatures(),
        api('account.setting', { key: 'is_show_mobile' }),
      ]);
      if (!info.ok) return info;
      if (!features.ok) return features;
      // If its setting can't be read, mobile registration is not offered; email always is.
      const { byCaptcha, chat, drawVerify, quoteFill } = info.data;
      return success({
        ...{ byCaptcha, chat, drawVerify },
        judgedAtQuote: quoteFill === 2,
        features: features.data,
        mobile: mobile.ok && mobile.data,
      });
    },
    signIn: (params) => enter(api('account.login', params)),
    signInWithPasskey: (params) => enter(api('security.passkeyLogin', params)),
    register: (params) => enter(api('account.register', params)),
    signInDemo: () => enter(sendDemo()),
    refreshUser() {
      const { user } = currentUser;
      return inSession(api('user.userInfo', {}), (found) => {
        // A call that has changed the user meanwhile knows better.
        if (currentUser.user === user) currentUser.update(found);
      });
    },
    confirmSecondFactor: (otp) =>
      inSession(api('security.otpConfirm', { otp }), () =>
        currentUser.update({ secondFactor: true }),
      ),
    removeSecondFactor: (otp) =>
      inSession(api('security.otpRemove', { otp }), () =>
        currentUser.update({ secondFactor: false }),
      ),
    closeAccount: (password) =>
      inSession(api('security.closeAccount', { password }), () => session.set('')),
    async complaintEmail() {
      const result = await api('account.complaintEmail', {});
      const url = options.complaintUrl();
      if (result.ok || !url) return result;
      const email = parse(complaintEmail.answer, await http.plain(url, true));
      return email === undefined ? result : success(email);
    },
    uploadPicture: uploads.upload,
    cancelUpload: uploads.cancel,
  };

  return { calls: account, cancelUploads: uploads.cancelAll };
}

const KEY = 'demo-id';

/** Login to a demo account without registration. */
function createDemoLogin(api: Api, storage: Storage): () => Promise<Result<Confirmed<Entered>>> {
  const opening = createSingleFlight<'demo', Result<Confirmed<Entered>>>();
  let made: string | undefined;

  /** Made once for a device and stored: the same id gives the same account (protocol.md#demo-login). */
  async function demoId(): Promise<string> {
    const stored = await storage.get(KEY);
    if (typeof stored === 'string') return stored;
    made ??= uuidOf(crypto.getRandomValues(new Uint8Array(16)));
    // The former one stays where it can't be read; this visit has one account until then.
    if (stored !== UNREAD) await storage.set(KEY, made);
    return made;
  }

  return () => opening('demo', async () => api('user.openDemo', { demo_id: await demoId() }));
}
