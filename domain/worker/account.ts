/** The part of the worker's contract about the user: login, registration, passwords, verification. */

import type { AccountSettings } from '../account/settings';
import type { User } from '../account/user';
import type { ParamsOf } from '../api/subjects';
import type { Confirmed, Result } from '../core/result';

/** A picture as it is uploaded: encoded again in the browser, without metadata. */
export interface Picture {
  bytes: ArrayBuffer;
  /** The media type, as `image/jpeg`. */
  type: string;
}

/** A photo of a verification that is not submitted yet. */
export interface DraftPhoto {
  picture: Picture;
  /** The address that the upload returned; empty until then. */
  url: string;
}

/** A half-filled verification, stored over reloads until it is submitted or its user logs out. */
export interface VerificationDraft {
  name: string;
  cardId: string;
  front?: DraftPhoto;
  reverse?: DraftPhoto;
}

/** What the account part adds to a Frame. */
export interface AccountFrame {
  /** The sent share of each running upload, 0 to 1, by the id that the page gave it. */
  uploads?: Readonly<Record<string, number>>;
}

/**
 * A failed read is no event: the screen that asked shows it. Failures of other calls, and the
 * server's text for a success, are events (screens.md#messages). The user who registers or logs
 * in is `user` of the next frame. A login fails as `cancelled` where another one was asked for since, or another
 * session has begun.
 */
export interface AccountWorkerApi {
  accountSettings(): Promise<Result<AccountSettings>>;
  /** protocol.md#login. Refused with CODE_CAPTCHA where it needs a captcha; then it is called again with one. */
  signIn(params: ParamsOf<'account.login'>): Promise<Result<User>>;
  /** protocol.md#passkeys. `response` is WebAuthn's answer to `security.passkeyLoginOptions`, as JSON. */
  signInWithPasskey(params: ParamsOf<'security.passkeyLogin'>): Promise<Result<User>>;
  /** Opens this device's demo account, or finds it again, and logs in (protocol.md#demo-login). */
  signInDemo(): Promise<Result<User>>;
  /** Ends the session here and on the server. Never fails. */
  signOut(): Promise<void>;
  register(params: ParamsOf<'account.register'>): Promise<Result<User>>;
  /** Asks the server for the user again: another tab or device may have changed what a screen goes by. */
  refreshUser(): Promise<Result<User>>;
  /** Resolves to the recovery codes; to none where the answer can't be read. `otp` is a code of the app. */
  confirmSecondFactor(otp: string): Promise<Result<Confirmed<readonly string[]>>>;
  /** `otp` is a code of the app, or a recovery code. */
  removeSecondFactor(otp: string): Promise<Result<Confirmed<null>>>;
  /** Closes the account permanently, and logs out (domain.md#closing-an-account). */
  closeAccount(password: string): Promise<Result<Confirmed<null>>>;
  complaintEmail(): Promise<Result<string>>;
  /** Resolves to the address of the picture (protocol.md#uploads). `id` names the upload in `AccountFrame.uploads`. */
  uploadPicture(picture: Picture, id: string): Promise<Result<string>>;
  /** Cancels an upload, which fails as `cancelled`. */
  cancelUpload(id: string): void;
  verificationDraft(): Promise<VerificationDraft | undefined>;
  /** Stores the draft until it is submitted. */
  saveVerificationDraft(draft: VerificationDraft): Promise<void>;
}
