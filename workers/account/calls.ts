import type { User } from '#domain/account/user';
import { complaintEmail } from '#domain/api/account';
import { basicInfo } from '#domain/api/common';
import { parse } from '#domain/api/schema';
import { type Confirmed, type Result, success } from '#domain/core/result';
import { uuidOf } from '#domain/core/uuid';
import type { AccountWorkerApi } from '#domain/worker/account';
import type { Storage } from '../core/ports';
import { UNREAD } from '../core/ports';
import { createSingleFlight } from '../core/singleFlight';
import type { Api } from '../http/api';
import { callRead } from '../http/ask';
import type { AskFeatures } from '../http/call';
import type { Http } from '../http/client';
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
  /** A login or registration has returned a token and its user. */
  signedIn: (session: { token: string; user: User }) => void;
  /** Another address that returns the complaint email where the server has none (protocol.md#complaint-email); empty: none. */
  complaintUrl: () => string;
  /** Fields of the user have changed. */
  userChanged: (change: Partial<User>) => void;
  /** The account is closed. */
  signedOut: () => void;
  uploadsChanged: UploadsChanged;
}

/** The calls after which the worker does more than answer: those that begin or end a session, change the user, or upload. */
export function createAccountCalls(options: CallsOptions): {
  calls: AccountCalls;
  /** Cancels all uploads. */
  cancelUploads: () => void;
} {
  const { api, http, serverFeatures, storage, signedIn } = options;
  const uploads = createUploads(api, options.uploadsChanged);

  async function enter(
    sent: Promise<Result<Confirmed<{ token: string; user: User }>>>,
  ): Promise<Result<User>> {
    const result = await sent;
    if (!result.ok) return result;
    signedIn(result.data.data);
    return success(result.data.data.user);
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
    signInDemo: createDemoLogin(api, storage, signedIn),
    async confirmSecondFactor(otp) {
      const result = await api('security.otpConfirm', { otp });
      if (result.ok) options.userChanged({ secondFactor: true });
      return result;
    },
    async removeSecondFactor(otp) {
      const result = await api('security.otpRemove', { otp });
      if (result.ok) options.userChanged({ secondFactor: false });
      return result;
    },
    async closeAccount(password) {
      const result = await api('security.closeAccount', { password });
      if (result.ok) options.signedOut();
      return result;
    },
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

/** Login to a demo account without registration. `signedIn` gets its token and user. */
function createDemoLogin(
  api: Api,
  storage: Storage,
  signedIn: (session: { token: string; user: User }) => void,
): () => Promise<Result<User>> {
  const opening = createSingleFlight<'demo', Result<User>>();

  /** Made once for a device and stored: the same id gives the same account (protocol.md#demo-login). */
  async function demoId(): Promise<string> {
    const stored = await storage.get(KEY);
    if (typeof stored === 'string') return stored;
    const made = uuidOf(crypto.getRandomValues(new Uint8Array(16)));
    // The former one stays where it can't be read.
    if (stored !== UNREAD) await storage.set(KEY, made);
    return made;
  }

  async function open(): Promise<Result<User>> {
    const result = await api('user.openDemo', { demo_id: await demoId() });
    if (!result.ok) return result;
    signedIn(result.data.data);
    return success(result.data.data.user);
  }

  return () => opening('demo', open);
}
