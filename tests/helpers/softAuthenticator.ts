import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type CborValue = number | string | Uint8Array | Map<number | string, CborValue>;

/** RFC 8949, as far as authenticators need it. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const items = [...value].flatMap((pair) => pair.map(cbor));
  return Buffer.concat([head(5, value.size), ...items]);
}

function head(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size]);
  if (size < 256) return Buffer.from([(type << 5) | 24, size]);
  return Buffer.from([(type << 5) | 25, size >> 8, size & 255]);
}

/** Flags of an authenticator's data. */
const PRESENT = 1;
const VERIFIED = 4;
const HAS_KEY = 64;

interface Options {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
  user?: { id: string };
}

/** What an authenticator, or whoever plays one, says otherwise. */
interface Changes {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  counter?: number;
  /** The user was not verified. */
  unverified?: boolean;
  userHandle?: string | undefined;
  attestation?: { fmt: string; attStmt: Map<string, CborValue> };
}

/** An authenticator with one passkey (P-256), which does as it is told. */
export class SoftAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  /** Signatures so far; 0 for ever where it does not count. */
  counter: number;
  userHandle = '';
  private readonly origin: string;
  private readonly privateKey: KeyObject;
  private readonly publicKey: Buffer;
  private readonly counts: boolean;

  constructor(origin: string, { counts = true } = {}) {
    this.origin = origin;
    this.counts = counts;
    this.counter = counts ? 1 : 0;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.privateKey = privateKey;
    this.publicKey = cbor(
      new Map<number, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }

  /** As `navigator.credentials.create`, in the JSON of @simplewebauthn. */
  create(options: Options, changes: Changes = {}) {
    this.userHandle = options.user?.id ?? '';
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.publicKey]);
    const rpId = changes.rpId ?? options.rp?.id ?? '';
    const authData = this.data(rpId, HAS_KEY, changes, credential);
    const { fmt, attStmt } = changes.attestation ?? { fmt: 'none', attStmt: new Map() };
    const attestation = cbor(
      new Map<string, CborValue>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    );
    return {
      ...this.named(),
      response: {
        clientDataJSON: this.clientData('webauthn.create', options, changes).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** As `navigator.credentials.get`. */
  get(options: Options, changes: Changes = {}) {
    if (this.counts) this.counter++;
    const clientData = this.clientData('webauthn.get', options, changes);
    const data = this.data(changes.rpId ?? options.rpId ?? '', 0, changes);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.named(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.privateKey).toString('base64url'),
        userHandle: 'userHandle' in changes ? changes.userHandle : this.userHandle,
      },
    };
  }

  private named() {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} };
  }

  private clientData(type: string, { challenge }: Options, changes: Changes): Buffer {
    const { origin } = this;
    const said = { type, challenge, origin, crossOrigin: false };
    const { type: otherType, challenge: otherChallenge, origin: otherOrigin } = changes;
    return Buffer.from(
      JSON.stringify({
        ...said,
        ...(otherType !== undefined && { type: otherType }),
        ...(otherChallenge !== undefined && { challenge: otherChallenge }),
        ...(otherOrigin !== undefined && { origin: otherOrigin }),
      }),
    );
  }

  private data(
    rpId: string,
    flags: number,
    { counter = this.counter, unverified = false }: Changes,
    credential: Uint8Array = Buffer.alloc(0),
  ): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | PRESENT | (unverified ? 0 : VERIFIED);
    const hash = createHash('sha256').update(rpId).digest();
    return Buffer.concat([hash, Buffer.from([all]), count, credential]);
  }
}
