/**
 * Rules for the forms of an account (domain.md#validation). The same functions run in the form
 * and in the server. Each returns the first broken rule of every field, in the order of the form.
 */

import { type FieldProblem, fieldProblem, lineProblem, type Message, problems } from '../core/rule';
import { type AddressKind, isEmail, isMobile } from './address';

/** Characters of a password (D36). */
export const MIN_PASSWORD = 8;
export const LONGEST_PASSKEY_NAME = 64;
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
  /** Undefined in a call without it: the code alone is the proof. */
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
export function loginProblems(form: LoginForm): FieldProblem<keyof LoginForm>[] {
  return problems<keyof LoginForm>(
    addressRequired(form.type, form.account),
    form.password === '' && fieldProblem('password', 'passwordRequired'),
  );
}

/** Checks the registration form (domain.md#registration-form). */
export function registerProblems(form: RegisterForm): FieldProblem<keyof RegisterForm>[] {
  return problems<keyof RegisterForm>(
    addressProblem(form.type, form.account),
    passwordProblem(form.password),
    repeatedProblem(form),
    form.inviteCode === '' && fieldProblem('inviteCode', 'inviteCodeRequired'),
    codeProblem(form.code),
  );
}

/** Checks the password form of a visitor (domain.md#password-form). */
export function forgottenProblems(form: ForgottenForm): FieldProblem<keyof ForgottenForm>[] {
  return problems<keyof ForgottenForm>(
    addressProblem(form.type, form.account),
    ...newPasswordProblems(form),
  );
}

/** Checks the password form of a user: the old password, two equal new ones and a code (domain.md#password-form). */
export function amendProblems(form: AmendForm): FieldProblem<keyof AmendForm>[] {
  return problems<keyof AmendForm>(
    form.oldPassword === '' && fieldProblem('oldPassword', 'oldPasswordRequired'),
    ...newPasswordProblems(form),
  );
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
export function realNameProblems(form: RealNameForm): FieldProblem<keyof RealNameForm>[] {
  const { fronts, reverses } = form;
  const twice = fronts.length === 1 && fronts[0] === reverses[0];
  return problems<keyof RealNameForm>(
    nameProblem(form),
    cardIdProblem(form.cardId.trim()),
    fronts.length !== 1 && fieldProblem('fronts', 'photosRequired'),
    reverses.length !== 1 && fieldProblem('reverses', 'photosRequired'),
    twice && fieldProblem('reverses', 'photosEqual'),
  );
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

function nameProblem({ name, cardId }: RealNameForm): FieldProblem<'name'> | undefined {
  if (name.trim() === '')
    return fieldProblem('name', cardId.trim() === '' ? 'personalInfoRequired' : 'nameRequired');
  return [...name].length > MAX_NAME
    ? fieldProblem('name', 'nameTooLong', { max: MAX_NAME })
    : lineProblem('name', name);
}

function cardIdProblem(cardId: string): FieldProblem<'cardId'> | undefined {
  if (cardId === '') return fieldProblem('cardId', 'cardIdRequired');
  return CARD_ID.test(cardId) ? undefined : fieldProblem('cardId', 'cardIdInvalid');
}

function newPasswordProblems(form: NewPassword): FieldProblem<keyof NewPassword>[] {
  return problems<keyof NewPassword>(
    passwordProblem(form.password),
    repeatedProblem(form),
    codeProblem(form.code),
  );
}

function passwordProblem(password: string): FieldProblem<'password'> | undefined {
  if (password === '') return fieldProblem('password', 'passwordRequired');
  const length = [...password].length;
  if (length < MIN_PASSWORD)
    return fieldProblem('password', 'passwordTooShort', { min: MIN_PASSWORD });
  return length > MAX_PASSWORD
    ? fieldProblem('password', 'passwordTooLong', { max: MAX_PASSWORD })
    : undefined;
}

function repeatedProblem({
  password,
  repeated,
}: Pick<NewPassword, 'password' | 'repeated'>): FieldProblem<'repeated'> | undefined {
  if (repeated === '') return fieldProblem('repeated', 'passwordRepeatRequired');
  return repeated === password ? undefined : fieldProblem('repeated', 'passwordsDiffer');
}

function codeProblem(code: string): FieldProblem<'code'> | undefined {
  return code === '' ? fieldProblem('code', 'codeRequired') : undefined;
}
