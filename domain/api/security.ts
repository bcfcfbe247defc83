/** The second factor of a login, devices, and a user's own data (protocol.md#second-factor, protocol.md#sessions). */
import { endpoint, type NoParams } from './endpoint';

export interface EnrolmentRow {
  /** Base32, to type into an authenticator app. */
  secret: string;
  /** otpauth://, as a QR code. */
  uri: string;
}

export interface RecoveryRow {
  /** Each is valid once, instead of a code of the app. */
  recovery: string[];
}

/** A code of the app, or a recovery code where a second factor is asked for. */
export interface OtpParams {
  otp: string;
}

/** A device where the user is logged in. */
export interface DeviceRow {
  /** Of its session. */
  id: number;
  /** Browser and system, as "Chrome, Android"; may be empty. */
  device: string;
  created_at: string;
  used_at: string;
  /** 1: of this session. */
  current: number;
}

/** `others` 1: all but the caller's own; otherwise the one of `id`. */
export interface EndSessionParams {
  id?: number;
  others?: number;
}

export interface PasswordParams {
  password: string;
}

export const otpEnrol = endpoint<NoParams, EnrolmentRow>()({
  method: 'POST',
  body: 'form',
  path: '/api/user/otp_enrol',
  access: 'real',
  effect: 'changes',
  feature: 'otp',
});

export const otpConfirm = endpoint<OtpParams, RecoveryRow>()({
  method: 'POST',
  body: 'form',
  path: '/api/user/otp_confirm',
  access: 'real',
  effect: 'changes',
  feature: 'otp',
});

export const otpRemove = endpoint<OtpParams, null>()({
  method: 'POST',
  body: 'form',
  path: '/api/user/otp_remove',
  access: 'real',
  effect: 'changes',
  feature: 'otp',
});

export const deviceList = endpoint<NoParams, DeviceRow[]>()({
  method: 'GET',
  path: '/api/user/sessions',
  access: 'user',
  effect: 'reads',
  feature: 'sessions',
});

export const endSession = endpoint<EndSessionParams, null>()({
  method: 'POST',
  body: 'form',
  path: '/api/user/session_end',
  access: 'user',
  effect: 'changes',
  feature: 'sessions',
});

export const exportData = endpoint<PasswordParams, Record<string, unknown>>()({
  method: 'POST',
  body: 'form',
  path: '/api/user/export',
  access: 'real',
  effect: 'changes',
  feature: 'sessions',
});

export const closeAccount = endpoint<PasswordParams, null>()({
  method: 'POST',
  body: 'form',
  path: '/api/user/close_account',
  access: 'real',
  effect: 'changes',
  feature: 'sessions',
});
