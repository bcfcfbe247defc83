/**
 * Rules for the forms of an account (domain.md#validation). The same functions run in the form
 * and in the server. Each returns the first broken rule, or undefined.
 */

import { type FieldProblem, fieldProblem, type Message } from '../core/rule';
import { type AddressKind, isEmail, isMobile } from './address';

/** Characters of a password (D36). */
export const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;
/** Characters of a name on a passport. */
const MAX_NAME = 100;

export interface LoginForm {
  type: AddressKind;
  account: string;
  password: string;
}

export interface RegisterForm {
  type: AddressKind;
  /** An email address, or global_code + national number. */
  account: string;
  password: string;
  repeated: string;
  inviteCode: string;
  /** The sent code, or the text of the captcha. */
  code: string;
}

/** A new password of a visitor who forgot the old one. */
export interface ForgottenForm {
  type: AddressKind;
  account: string;
  password: string;
  repeated: string;
  code: string;
}

/** A new password of a logged-in user. */
export interface AmendForm extends NewPassword {
  /** Undefined in a call without it: the code alone is the proof (D91). */
  oldPassword?: string | undefined;
}

type NewPassword = Omit<ForgottenForm, 'type' | 'account'>;

/** Addresses of uploaded pictures. */
export interface RealNameForm {
  name: string;
  cardId: string;
  fronts: readonly string[];
  reverses: readonly string[];
}

/** Address and password are required (domain.md#login-form). */
export function loginProblem(form: LoginForm): FieldProblem<keyof LoginForm> | undefined {
  return (
    addressRequired(form.type, form.account) ??
    (form.password === '' ? fieldProblem('password', 'passwordRequired') : undefined)
  );
}

/** Checks the registration form (domain.md#registration-form). */
export function registerProblem(form: RegisterForm): FieldProblem<keyof RegisterForm> | undefined {
  return (
    addressProblem(form.type, form.account) ??
    passwordsProblem(form.password, form.repeated) ??
    (form.inviteCode === '' ? fieldProblem('inviteCode', 'inviteCodeRequired') : undefined) ??
    codeProblem(form.code)
  );
}

/** Checks the password form of a visitor (domain.md#password-form). */
export function forgottenProblem(
  form: ForgottenForm,
): FieldProblem<keyof ForgottenForm> | undefined {
  return addressProblem(form.type, form.account) ?? newPasswordProblem(form);
}

/** Checks the password form of a user: the old password, two equal new ones and a code (domain.md#password-form, D91). */
export function amendProblem(form: AmendForm): FieldProblem<keyof AmendForm> | undefined {
  const missing = form.oldPassword === '';
  return missing ? fieldProblem('oldPassword', 'oldPasswordRequired') : newPasswordProblem(form);
}

/** Checks an address that a code is sent to or that is registered. */
export function addressProblem(
  type: AddressKind,
  account: string,
): FieldProblem<'account'> | undefined {
  const required = addressRequired(type, account);
  if (required) return required;
  if (type === 'email')
    return isEmail(account) ? undefined : fieldProblem('account', 'emailInvalid');
  return isMobile(account) ? undefined : fieldProblem('account', 'mobileInvalid');
}

/** Name and number are required, and one photo of each side (domain.md#verification-form). */
export function realNameProblem({
  name,
  cardId,
  fronts,
  reverses,
}: RealNameForm): FieldProblem<keyof RealNameForm> | undefined {
  const unnamed = name.trim() === '';
  if (unnamed && cardId.trim() === '') return fieldProblem('name', 'personalInfoRequired');
  if (unnamed) return fieldProblem('name', 'nameRequired');
  if ([...name].length > MAX_NAME) return fieldProblem('name', 'nameTooLong', { max: MAX_NAME });
  if (cardId.trim() === '') return fieldProblem('cardId', 'cardIdRequired');
  if (!CARD_ID.test(cardId.trim())) return fieldProblem('cardId', 'cardIdInvalid');
  if (fronts.length !== 1) return fieldProblem('fronts', 'photosRequired');
  if (reverses.length !== 1) return fieldProblem('reverses', 'photosRequired');
  return fronts[0] === reverses[0] ? fieldProblem('reverses', 'photosEqual') : undefined;
}

/** Refuses demo users: deposit, withdrawal, wallet, verification, invitation and password (domain.md#roles). */
export function realAccountProblem(user: { demo: boolean }): Message | undefined {
  return user.demo ? { key: 'realAccountRequired' } : undefined;
}

const CARD_ID = /^[\p{L}\p{N}][\p{L}\p{N} ./-]{2,38}[\p{L}\p{N}]$/u;

function addressRequired(type: AddressKind, account: string): FieldProblem<'account'> | undefined {
  if (account !== '') return undefined;
  return fieldProblem('account', type === 'email' ? 'emailRequired' : 'mobileRequired');
}

function newPasswordProblem(form: NewPassword): FieldProblem<keyof NewPassword> | undefined {
  return passwordsProblem(form.password, form.repeated) ?? codeProblem(form.code);
}

function passwordsProblem(
  password: string,
  repeated: string,
): FieldProblem<'password' | 'repeated'> | undefined {
  if (password === '') return fieldProblem('password', 'passwordRequired');
  const length = [...password].length;
  if (length < MIN_PASSWORD)
    return fieldProblem('password', 'passwordTooShort', { min: MIN_PASSWORD });
  if (length > MAX_PASSWORD)
    return fieldProblem('password', 'passwordTooLong', { max: MAX_PASSWORD });
  if (repeated === '') return fieldProblem('repeated', 'passwordRepeatRequired');
  return repeated === password ? undefined : fieldProblem('repeated', 'passwordsDiffer');
}

function codeProblem(code: string): FieldProblem<'code'> | undefined {
  return code === '' ? fieldProblem('code', 'codeRequired') : undefined;
}
