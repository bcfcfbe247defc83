import { hash } from 'node:crypto';
import { toDurationMs } from '#domain/core/time';
import { tokenPrefix } from '../../../../server/cluster/shards';
import type { Caller } from '../../../../server/http/route';
import type { LoginSocket } from '../../../../server/socket/logins';
import type { Outbox } from '../../../../server/socket/outbox';
import type { TextFrame } from '../../../../server/socket/textFrame';
import type { World } from './world';

/** Before a phone that was cut connects again, ms. */
const AGAIN_MS = [200, 1_500] as const;

/** A user, as the database of its engine has it. */
export class Account {
  readonly id: number;
  readonly shard: number;
  /** How much has happened to it: the number of its last message. */
  happened = 0;
  sessionId: number;
  token: string;
  readonly phones: Phone[] = [];

  constructor(id: number, shard: number) {
    this.id = id;
    this.shard = shard;
    this.sessionId = id * 1_000;
    this.token = this.newToken();
  }

  /** Ends the session and begins another one, in which the phones log in again; returns which has ended. */
  renew(): number {
    const ended = this.sessionId++;
    this.token = this.newToken();
    for (const phone of this.phones) phone.connectLater();
    return ended;
  }

  /** Whose token has this hash. */
  callerOf(tokenHash: string): Caller | undefined {
    if (tokenHash !== hash('sha256', this.token)) return undefined;
    return { userId: this.id, sessionId: this.sessionId, isDemo: true };
  }

  private newToken(): string {
    return tokenPrefix(this.shard) + String(this.sessionId).padStart(43, 'A');
  }
}

/** Where phones connect to. */
interface Gateway {
  readonly isServing: boolean;
  accept(socket: PhoneSocket): void;
}

/** The connection of a phone to a gateway. */
export class PhoneSocket implements LoginSocket {
  readonly privateTopics = new Set(['FOREX_TRADE' as const]);
  readonly outbox = { send: (frame: TextFrame) => this.receive(frame) } as unknown as Outbox;
  readonly account: Account;
  readonly sessionId: number;
  readonly token: string;
  isOpen = true;
  isLoggedIn = false;
  private readonly phone: Phone;
  /** The number of the last message that its user knows of from what the phone has fetched after the login. */
  private fetched = 0;
  private last = 0;
  /** It was shown a message without the one before. */
  private hasHole = false;

  constructor(phone: Phone) {
    this.phone = phone;
    const { account } = phone;
    this.account = account;
    this.sessionId = account.sessionId;
    this.token = account.token;
  }

  /** Whether it knows all that has happened to the user. */
  get isComplete(): boolean {
    return !this.hasHole && this.last === this.account.happened;
  }

  /** The gateway has answered the login: a good phone fetches now what it shows. */
  answer(isGood: boolean): void {
    if (!this.isOpen) return;
    if (!isGood) this.close(1000);
    else {
      this.isLoggedIn = true;
      this.fetched = this.account.happened;
      this.last = this.fetched;
    }
  }

  close(_code: number): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (this.phone.socket === this) this.phone.connectLater();
  }

  private receive(frame: TextFrame): void {
    if (!this.isOpen || !this.isLoggedIn) return;
    const { type, data } = JSON.parse(frame.subarray(2).toString('latin1'));
    // Its session has ended: the phone connects again by itself.
    if (type === 'login') return;
    const number: number = data.Id;
    // It was under way when the phone fetched its state.
    if (number <= this.fetched) return;
    if (number !== this.last + 1) this.hasHole = true;
    this.last = number;
  }
}

/** A phone of a user: always connected to some gateway, as far as there is one. */
export class Phone {
  readonly account: Account;
  socket: PhoneSocket | undefined;
  private readonly world: World;
  private readonly gateways: () => readonly Gateway[];

  constructor(account: Account, world: World, gateways: () => readonly Gateway[]) {
    this.account = account;
    this.world = world;
    this.gateways = gateways;
    account.phones.push(this);
  }

  connectLater(): void {
    const { time, random } = this.world;
    time.after(toDurationMs(random.between(...AGAIN_MS)), () => this.connect());
  }

  private connect(): void {
    const serving = this.gateways().filter(({ isServing }) => isServing);
    if (serving.length === 0) this.connectLater();
    else {
      this.socket = new PhoneSocket(this);
      this.world.random.pick(serving).accept(this.socket);
    }
  }
}
