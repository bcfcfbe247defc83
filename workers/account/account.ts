import type { User } from '#domain/account/user';
import type { AccountFrame, AccountGateway } from '#domain/gateway/account';
import { lazy } from '../core/lazy';
import type { Storage } from '../core/ports';
import type { AccountCalls, CallsOptions } from './calls';
import { createDraft } from './draft';

export interface AccountOptions extends Omit<CallsOptions, 'uploadsChanged' | 'forgetDraft'> {
  storage: Storage;
  /** There is something for the next frame. */
  touch: () => void;
}

export interface Account {
  readonly gateway: AccountGateway;
  /** Adds what changed since the last frame. */
  collect(frame: AccountFrame): void;
  /** Another user, or none: forgets what the last one left half done. */
  userChanged(user: User | null): void;
}

/** Who users are. Its calls come with the first of them. */
export function createAccount({ storage, touch, ...options }: AccountOptions): Account {
  const draft = createDraft(storage);
  let uploads: AccountFrame['uploads'];
  let cancelUploads = () => {};

  async function load() {
    const { createAccountCalls } = await import('./calls');
    const { calls, cancelAll } = createAccountCalls({
      ...options,
      forgetDraft: () => draft.save(undefined),
      uploadsChanged(next) {
        uploads = next;
        touch();
      },
    });
    cancelUploads = cancelAll;
    return calls;
  }

  return {
    gateway: {
      ...lazy(load, CALLS),
      verificationDraft: draft.load,
      saveVerificationDraft: draft.save,
    },
    collect(frame) {
      if (uploads) frame.uploads = uploads;
      uploads = undefined;
    },
    userChanged(user) {
      cancelUploads();
      void draft.userChanged(user?.id);
    },
  };
}

const CALLS: Record<keyof AccountCalls, true> = {
  accountSettings: true,
  areas: true,
  captcha: true,
  sendCode: true,
  signIn: true,
  register: true,
  resetPassword: true,
  changePassword: true,
  complaintEmail: true,
  uploadPicture: true,
  cancelUpload: true,
  verification: true,
  submitVerification: true,
};
