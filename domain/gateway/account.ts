/** The part of the worker's contract that is about who the user is. */

import type { AddressKind } from '../account/address';
import type { AmendForm, ForgottenForm, LoginForm, RegisterForm } from '../account/rules';
import type { AccountSettings, Area, Captcha, CodeRequest, SentCode } from '../account/settings';
import type { User } from '../account/user';
import type { Verification } from '../account/verification';
import type { Done, Result } from '../core/result';

export interface Registration extends RegisterForm {
  /** Of a mobile number; 0 otherwise. */
  areaId: number;
  /** The national number; empty where registered by email. */
  mobile: string;
  /** Of the picture whose text is `code`; empty where a code was sent. */
  captchaId: string;
}

export interface PasswordChange extends AmendForm {
  /** Which of the user's own addresses the code was sent to. */
  type: AddressKind;
}

/** A picture as it is uploaded: made anew in the browser, without metadata. */
export interface Picture {
  bytes: ArrayBuffer;
  /** As `image/jpeg`. */
  type: string;
}

/** A photo of a half-filled verification. */
export interface DraftPhoto {
  picture: Picture;
  /** What image_upload answered; empty until it did. */
  url: string;
}

/** A half-filled verification, kept over reloads until it is sent or its user is gone. */
export interface VerificationDraft {
  name: string;
  cardId: string;
  front?: DraftPhoto;
  reverse?: DraftPhoto;
}

/** `fronts` and `reverses` of the rule, one each. */
export interface VerificationForm {
  name: string;
  cardId: string;
  front: string;
  reverse: string;
}

/** What the account part adds to a Frame. */
export interface AccountFrame {
  /** Uploads under way, by the id that the page gave them: the share that was sent, 0 to 1. */
  uploads?: Readonly<Record<string, number>>;
}

/**
 * Failures of what is only read are not told as events: the screen that asked
 * shows them. Those of all others are, and so are the server's words for a
 * success (screens.md#messages). Whoever registers or logs in is the `user` of the next frame.
 */
export interface AccountGateway {
  accountSettings(): Promise<Result<AccountSettings>>;
  /** area_list, in the language that is shown, by name. */
  areas(): Promise<Result<Area[]>>;
  captcha(): Promise<Result<Captcha>>;
  sendCode(request: CodeRequest): Promise<Result<SentCode>>;
  /** loginForU. */
  signIn(form: LoginForm): Promise<Result<User>>;
  /** Opens this device's demo account, or finds it again, and logs in (protocol.md#demo-login). */
  signInDemo(): Promise<Result<User>>;
  /** Ends the session here and on the server. Never fails. */
  signOut(): Promise<void>;
  register(form: Registration): Promise<Result<User>>;
  /** forget_password: whoever was logged in by it is no more (D40). */
  resetPassword(form: ForgottenForm): Promise<Result<Done<void>>>;
  /** amend_password. */
  changePassword(form: PasswordChange): Promise<Result<Done<void>>>;
  complaintEmail(): Promise<Result<string>>;
  /** image_upload: resolves to the picture's address. `id` names it in `AccountFrame.uploads`. */
  uploadPicture(picture: Picture, id: string): Promise<Result<string>>;
  /** The upload fails as `cancelled`. */
  cancelUpload(id: string): void;
  /** user_real/center. */
  verification(): Promise<Result<Verification>>;
  /** real_name, with the action's key (protocol.md#idempotency). Forgets the draft. */
  submitVerification(form: VerificationForm, key: string): Promise<Result<Done<void>>>;
  verificationDraft(): Promise<VerificationDraft | undefined>;
  /** Undefined forgets it. */
  saveVerificationDraft(draft: VerificationDraft | undefined): Promise<void>;
}
