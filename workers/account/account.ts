import type { RequestKind } from '#domain/api/call';
import type { AccountFrame, AccountWorkerApi } from '#domain/worker/account';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { LifecycleListener } from '../core/lifecycle';
import type { Storage } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Api } from '../http/api';
import type { AskFeatures } from '../http/call';
import type { Http } from '../http/client';
import type { IdempotentRequests } from '../requests/types';
import type { AccountCalls } from './calls';
import { type CurrentUser, createCurrentUser } from './currentUser';
import type { Session } from './session';
import { createVerificationDraft } from './verificationDraft';

const code = importOnce(() => import('./calls'));

export interface AccountOptions {
  api: Api;
  http: Http;
  serverFeatures: AskFeatures;
  requests: IdempotentRequests;
  storage: Storage;
  session: Session;
  frames: Pick<Frames, 'emit' | 'field'>;
}

/** The current user, login, registration, passwords and verification. */
export interface Account {
  readonly calls: AccountWorkerApi;
  readonly listeners: readonly LifecycleListener[];
  /** Id of the present user; undefined while unknown. */
  readonly userId: number | undefined;
  readonly checkSession: CurrentUser['check'];
  readonly findUser: CurrentUser['find'];
  /** A changing call is known to be done. */
  requestDone(kind: RequestKind): void;
}

/** The code of most calls is loaded by the first of them. */
export function createAccount(options: AccountOptions): Account {
  const { api, requests, storage, session, frames } = options;
  const draft = createVerificationDraft(storage, session);
  let complaintUrl = '';
  let uploads: AccountFrame['uploads'];
  const uploadsField = frames.field('uploads', () => uploads);
  let cancelUploads = () => {};
  const userField = frames.field('user', () => currentUser.user);
  const currentUser = createCurrentUser({
    api,
    storage,
    session,
    changed(user) {
      // Uploads and drafts of the previous user are not the next one's.
      cancelUploads();
      void draft.userChanged(user?.id);
      userField.touch();
      requests.userChanged();
    },
  });

  /** Has the server end a session, which ends here whatever the server answers (protocol.md#logout). */
  const endSession = (token: string) =>
    api('user.logout', {}, { token, initial: true, quiet: true });

  async function load() {
    const { createAccountCalls } = await code();
    const loaded = createAccountCalls({
      ...options,
      currentUser,
      endSession,
      complaintUrl: () => complaintUrl,
      uploadsChanged(next) {
        uploads = next;
        uploadsField.touch();
      },
    });
    cancelUploads = loaded.cancelUploads;
    return loaded.calls;
  }

  return {
    get userId() {
      return currentUser.user?.id;
    },
    checkSession: currentUser.check,
    findUser: currentUser.find,
    requestDone(kind) {
      if (kind === 'verification') void draft.submitted();
    },
    listeners: [
      currentUser,
      {
        started(start) {
          complaintUrl = start.complaintUrl ?? '';
        },
      },
    ],
    calls: {
      ...lazy(load, CALLS, frames.emit),
      async signOut() {
        if (!session.token) return;
        const sent = endSession(session.token);
        session.set('');
        await sent;
      },
      verificationDraft: draft.load,
      saveVerificationDraft: draft.save,
    },
  };
}

/** True: a failure is an event; of the others the screen that asks shows it. */
const CALLS: Record<keyof AccountCalls, boolean> = {
  accountSettings: false,
  signInDemo: true,
  signIn: true,
  signInWithPasskey: true,
  refreshUser: false,
  confirmSecondFactor: true,
  removeSecondFactor: true,
  closeAccount: true,
  register: true,
  complaintEmail: false,
  uploadPicture: false,
  cancelUpload: false,
};
