import { createHmac } from 'node:crypto';
import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { and, asc, eq, lt, or, sql } from 'drizzle-orm';
import type { Read } from '#domain/api/schema';
import type { addPasskey, passkeyLogin } from '#domain/api/security';
import type { UnixMs } from '#domain/core/time';
import type { Db } from '../../db/database';
import { passkeys, users } from '../../db/schema';
import type { UnitOfWork } from '../../db/transactions';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import type { UserRecord } from '../users';
import { CHALLENGE_MS, type Challenges, type ChallengeUse } from './challenges';

/** Passkeys of one user. */
const MOST_PASSKEYS = 10;

export type PasskeyRecord = typeof passkeys.$inferSelect;

/** An answer of an authenticator that was verified, but not spent yet. */
interface Verified {
  challenge: string;
}

export interface VerifiedPasskey extends Verified {
  values: Pick<PasskeyRecord, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;
}

export interface VerifiedLogin extends Verified {
  passkey: PasskeyRecord;
  counter: number;
}

export interface PasskeysOptions {
  db: Db;
  key: Buffer;
  challenges: Challenges;
  /** The domain that passkeys belong to, and what authenticators call it. */
  domain: string;
  productName: string;
  /** What the handles of this engine's users begin with, so that gateways find their engine. */
  prefix: string;
  now(): UnixMs;
}

/** Passkeys by which users log in without a password (domain.md#passkeys, D171). */
export class Passkeys {
  private readonly options: PasskeysOptions;

  constructor(options: PasskeysOptions) {
    this.options = options;
  }

  /** The passkeys of a user, the oldest first. */
  list(userId: number): Promise<PasskeyRecord[]> {
    return listOf(this.options.db, userId);
  }

  /** What a browser needs to make a passkey, for the session that has proven its user. */
  async creationOptions(
    user: UserRecord,
    sessionId: number,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { challenges, domain, productName } = this.options;
    const known = await this.list(user.id);
    if (known.length >= MOST_PASSKEYS) throw tooMany();
    const name = user.email || `+${user.mobile}`;
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: productName,
      rpID: domain,
      userName: name,
      userDisplayName: name,
      userID: new Uint8Array(Buffer.from(this.handleOf(user.id))),
      challenge: challenges.make({ sessionId }),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: transports as AuthenticatorTransport[],
      })),
      // The login names no user, and stands for the second factor too.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** Throws a Refusal of what is no new passkey that this session asked for. */
  async verifyNew(
    sent: Read<typeof addPasskey.params>['response'],
    sessionId: number,
    origins: string[],
  ): Promise<VerifiedPasskey> {
    const transports = [...(sent.response.transports ?? [])];
    const response = {
      ...sent,
      response: { ...sent.response, transports: transports as AuthenticatorTransport[] },
      clientExtensionResults: {},
    };
    const expected = this.expected({ sessionId }, origins);
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await read(async () => {
      await refuseCertificates(response.response.attestationObject);
      return verifyRegistrationResponse({ ...expected.options, response });
    });
    if (!registrationInfo) throw wrong();
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      challenge: expected.challenge(),
      values: {
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports,
      },
    };
  }

  /** Stores a verified passkey. Throws a Refusal of one that was sent before, and of an eleventh one. */
  async add(
    { tx }: UnitOfWork,
    userId: number,
    name: string,
    { challenge, values }: VerifiedPasskey,
  ): Promise<PasskeyRecord> {
    const { challenges, now } = this.options;
    if (!(await challenges.spend(tx, challenge))) throw wrong();
    // Two simultaneous calls would both count nine.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    if ((await listOf(tx, userId)).length >= MOST_PASSKEYS) throw tooMany();
    const [added] = await tx
      .insert(passkeys)
      .values({ ...values, userId, name, createdAt: new Date(now()) })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning();
    if (!added) throw new Refusal(CODE_REFUSED, 'server.passkeyKnown');
    return added;
  }

  /** Removes a passkey of a user. Throws a Refusal of another one. */
  async remove({ tx }: UnitOfWork, userId: number, id: number): Promise<PasskeyRecord> {
    const own = and(eq(passkeys.id, id), eq(passkeys.userId, userId));
    const [removed] = await tx.delete(passkeys).where(own).returning();
    if (!removed) throw new Refusal(CODE_REFUSED, 'server.passkeyUnknown');
    return removed;
  }

  /** Removes all passkeys of a user and returns how many there were. */
  async forget({ tx }: UnitOfWork, userId: number): Promise<number> {
    const removed = await tx
      .delete(passkeys)
      .where(eq(passkeys.userId, userId))
      .returning({ id: passkeys.id });
    return removed.length;
  }

  /** What a browser needs to ask for a passkey. It names nobody: the user chooses in the browser. */
  async requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { challenges, domain } = this.options;
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      rpID: domain,
      challenge: challenges.make('login'),
      timeout: CHALLENGE_MS,
      userVerification: 'required',
    });
  }

  /** Throws one and the same Refusal of every answer that logs nobody in. */
  async verifyLogin(
    response: Read<typeof passkeyLogin.params>['response'],
    origins: string[],
  ): Promise<VerifiedLogin> {
    const [passkey] = await this.options.db
      .select()
      .from(passkeys)
      .where(eq(passkeys.credentialId, response.id));
    if (!passkey) throw wrong();
    const handle = Buffer.from(response.response.userHandle ?? '', 'base64url').toString();
    if (handle !== this.handleOf(passkey.userId)) throw wrong();
    const expected = this.expected('login', origins);
    const { verifyAuthenticationResponse } = await library();
    const { authenticationInfo } = await read(() =>
      verifyAuthenticationResponse({
        ...expected.options,
        response: { ...response, clientExtensionResults: {} },
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      }),
    );
    return { challenge: expected.challenge(), passkey, counter: authenticationInfo.newCounter };
  }

  /** Uses up a verified login. Throws a Refusal where it was used, or the passkey is gone or has counted on. */
  async spend({ tx }: UnitOfWork, { challenge, passkey, counter }: VerifiedLogin): Promise<void> {
    const { challenges, now } = this.options;
    if (!(await challenges.spend(tx, challenge))) throw wrong();
    // A condition of the statement itself: a copy of the passkey may log in at the same time.
    const counted = or(
      lt(passkeys.counter, counter),
      and(eq(passkeys.counter, 0), sql`${counter} = 0`),
    );
    const used = await tx
      .update(passkeys)
      .set({ counter, usedAt: new Date(now()) })
      .where(and(eq(passkeys.id, passkey.id), counted))
      .returning({ id: passkeys.id });
    if (used.length === 0) throw wrong();
  }

  private expected(use: ChallengeUse, origins: string[]) {
    const { challenges, domain } = this.options;
    let challenge = '';
    return {
      /** The one that was answered. */
      challenge: () => challenge,
      options: {
        expectedChallenge(given: string) {
          challenge = Buffer.from(given, 'base64url').toString();
          return challenges.isGood(use, challenge);
        },
        expectedOrigin: origins,
        expectedRPID: domain,
        requireUserVerification: true,
      },
    };
  }

  /** By which authenticators keep one entry a user: it says nothing of them but their engine. */
  private handleOf(userId: number): string {
    const { key, prefix } = this.options;
    return prefix + createHmac('sha256', key).update(`handle ${userId}`).digest('base64url');
  }
}

function listOf(db: Db, userId: number): Promise<PasskeyRecord[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id));
}

/** Loaded by the first passkey: it brings an X.509 stack. */
const library = () => import('@simplewebauthn/server');

/**
 * Asked for no attestation, browsers send none or the passkey's own signature. The library would ask the addresses in a stranger's
 * certificates whether they are revoked.
 */
async function refuseCertificates(attestation: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const object = decodeAttestationObject(isoBase64URL.toBuffer(attestation));
  const format = object.get('fmt');
  if (format === 'none') return;
  if (format !== 'packed' || object.get('attStmt').get('x5c')) throw wrong();
}

/** The library throws errors of every kind for what strangers send. */
async function read<T extends { verified: boolean }>(verify: () => Promise<T>): Promise<T> {
  const result = await verify().catch(() => undefined);
  if (!result?.verified) throw wrong();
  return result;
}

function wrong(): Refusal {
  return new Refusal(CODE_REFUSED, 'server.passkeyWrong');
}

function tooMany(): Refusal {
  return new Refusal(CODE_REFUSED, 'server.passkeysFull', { most: MOST_PASSKEYS });
}
