import type { UnixMs } from '../core/time';

/** A secret for an authenticator app (protocol.md#second-factor). */
export interface Enrolment {
  /** Base32, to type in. */
  secret: string;
  /** The address of a QR code, otpauth://. */
  uri: string;
}

/** A device where the user is logged in (protocol.md#sessions). */
export interface Device {
  id: number;
  /** Browser and system; may be empty. */
  name: string;
  createdAt: UnixMs | undefined;
  usedAt: UnixMs | undefined;
  /** The one that asks. */
  current: boolean;
}

/** The second step of a login (code 427). */
export interface SecondStep {
  ticket: string;
  /** A code of the app, or a recovery code. */
  code: string;
}
