/** The part of the worker's contract about the user: login, registration, passwords, verification. */

import type { AddressKind } from '../account/address';
import type { AmendForm, ForgottenForm, LoginForm, RegisterForm } from '../account/rules';
import type { Device, Enrolment, SecondStep } from '../account/security';
import type { AccountSettings, Area, Captcha, CaptchaAnswer } from '../account/settings';
import type { User } from '../account/user';
import type { Verification } from '../account/verification';
import type { Confirmed, Result } from '../core/result';

export interface Registration extends RegisterForm {
  /** Id of the area of a mobile number; 0 otherwise. */
  areaId: number;
  /** The national number; empty for a registration by email. */
  mobile: string;
  /** Id of the captcha whose text is `code`; empty where a code was sent. */
  captchaId: string;
}

export interface PasswordChange extends AmendForm {
  /** The kind of the user's address that the code was sent to. */
  type: AddressKind;
}

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

/** The verification that is submitted (domain.md#verification-form). `front` and `reverse` are addresses of uploaded pictures. */
export interface VerificationForm {
  name: string;
  cardId: string;
  front: string;
  reverse: string;
}

/** What the account part adds to a Frame. */
export interface AccountFrame {
  /** The sent share of each running upload, 0 to 1, by the id that the page gave it. */
  uploads?: Readonly<Record<string, number>>;
}

/**
 * A failed read is no event: the screen that asked shows it. Failures of other calls, and the
 * server's text for a success, are events (screens.md#messages). The user who registers or logs
 * in is `user` of the next frame.
 */
export interface AccountGateway {
  accountSettings(): Promise<Result<AccountSettings>>;
  /** Areas in the present language, sorted by name (protocol.md#areas). */
  areas(): Promise<Result<Area[]>>;
  captcha(): Promise<Result<Captcha>>;
  /** protocol.md#login. Refused with CODE_CAPTCHA where it needs a captcha; then it is called again with one. */
  signIn(form: LoginForm, captcha?: CaptchaAnswer, second?: SecondStep): Promise<Result<User>>;
  /** The calls of the second factor, only where `AccountSettings.secondFactor`. Makes a secret, in use once it is confirmed. */
  enrolSecondFactor(): Promise<Result<Enrolment>>;
  /** Resolves to the recovery codes. `code` is one of the app. */
  confirmSecondFactor(code: string): Promise<Result<string[]>>;
  /** `code` is one of the app, or a recovery code. */
  removeSecondFactor(code: string): Promise<Result<Confirmed<void>>>;
  /** Devices and own data, only where `AccountSettings.sessions`. The last used comes first. */
  devices(): Promise<Result<Device[]>>;
  endDevice(id: number): Promise<Result<Confirmed<void>>>;
  endOtherDevices(): Promise<Result<Confirmed<void>>>;
  /** Resolves to the text of a JSON file. */
  exportData(password: string): Promise<Result<string>>;
  /** Closes the account permanently, and logs out (domain.md#closing-an-account). */
  closeAccount(password: string): Promise<Result<Confirmed<void>>>;
  /** Opens this device's demo account, or finds it again, and logs in (protocol.md#demo-login). */
  signInDemo(): Promise<Result<User>>;
  /** Ends the session here and on the server. Never fails. */
  signOut(): Promise<void>;
  register(form: Registration): Promise<Result<User>>;
  /** Sets a new password with a sent code. Ends all sessions of the user. */
  resetPassword(form: ForgottenForm): Promise<Result<Confirmed<void>>>;
  /** Changes the password of the logged-in user (protocol.md#passwords). */
  changePassword(form: PasswordChange): Promise<Result<Confirmed<void>>>;
  complaintEmail(): Promise<Result<string>>;
  /** Resolves to the address of the picture (protocol.md#uploads). `id` names the upload in `AccountFrame.uploads`. */
  uploadPicture(picture: Picture, id: string): Promise<Result<string>>;
  /** Cancels an upload, which fails as `cancelled`. */
  cancelUpload(id: string): void;
  /** The state of the user's verification (protocol.md#verification). */
  verification(): Promise<Result<Verification>>;
  /** Submits the verification and removes its draft. `key` is the action's idempotency key (protocol.md#idempotency). */
  submitVerification(form: VerificationForm, key: string): Promise<Result<Confirmed<void>>>;
  verificationDraft(): Promise<VerificationDraft | undefined>;
  /** Stores the draft; undefined removes it. */
  saveVerificationDraft(draft: VerificationDraft | undefined): Promise<void>;
}
