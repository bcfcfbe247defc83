import { CODE_SIGNED_OUT } from '#domain/api/envelope';
import type { PrivateTopic, ServerMessage } from '#domain/api/socket';
import { getOrInsert } from '../core/getOrInsert';
import type { Authenticate, Caller } from '../http/route';
import type { Outbox } from './outbox';
import { jsonFrame } from './textFrame';

/** A message for the sockets of one user. */
export type PrivateMessage = Extract<
  ServerMessage,
  { type: PrivateTopic | 'FOREX_ALERT' | 'SETTINGS' }
>;

/** A socket that can log in. */
export interface LoginSocket {
  readonly outbox: Outbox;
  /** Remembered before a login, served after it. */
  readonly privateTopics: ReadonlySet<PrivateTopic>;
  close(code: number): void;
}

/** Who has to know whose sockets are here: messages come from another process. */
export interface LoggedInUsers {
  /** The user has a socket here, perhaps not the first one. Resolves when no message can be missed. */
  join(caller: Caller): Promise<void>;
  /** The user's last socket is gone. */
  leave(userId: number): void;
}

/** Logged-in sockets by user and session. */
export class Logins {
  private readonly authenticate: Authenticate;
  private readonly users: LoggedInUsers | undefined;
  private readonly callers = new Map<LoginSocket, Caller>();
  private readonly byUser = new Map<number, Set<LoginSocket>>();
  private readonly bySession = new Map<number, Set<LoginSocket>>();
  /** Number of ended sessions: a token read before a session ended is read again. */
  private endings = 0;

  constructor(authenticate: Authenticate, users?: LoggedInUsers) {
    this.authenticate = authenticate;
    this.users = users;
  }

  /** How many sockets are logged in. */
  get count(): number {
    return this.callers.size;
  }

  /**
   * Logs a socket in; returns whether the token is valid. A previous login ends in any case.
   * `isOpen` returns whether the socket is still open. Undefined: the socket was closed, or its session has ended and
   * it was told.
   */
  async login(member: LoginSocket, token: string, isOpen: () => boolean) {
    this.logout(member);
    let caller: Caller | undefined;
    let endings: number;
    do {
      endings = this.endings;
      caller = await this.authenticate(token);
    } while (endings !== this.endings);
    if (!caller) return false;
    if (!isOpen()) return undefined;
    this.callers.set(member, caller);
    getOrInsert(this.byUser, caller.userId, newSet).add(member);
    getOrInsert(this.bySession, caller.sessionId, newSet).add(member);
    await this.users?.join(caller);
    return this.callers.get(member) === caller ? true : undefined;
  }

  logout(member: LoginSocket): void {
    const caller = this.callers.get(member);
    if (!caller) return;
    this.callers.delete(member);
    remove(this.byUser, caller.userId, member);
    remove(this.bySession, caller.sessionId, member);
    if (!this.byUser.has(caller.userId)) this.users?.leave(caller.userId);
  }

  /** Tells the session's sockets that it has ended (protocol.md#socket-login). */
  endSession(sessionId: number): void {
    this.endings++;
    for (const member of [...(this.bySession.get(sessionId) ?? [])]) {
      this.logout(member);
      member.outbox.send(ENDED);
    }
  }

  /** The user's sockets. */
  of(userId: number): Iterable<LoginSocket> {
    return this.byUser.get(userId) ?? [];
  }

  toUser(userId: number, message: PrivateMessage): void {
    const members = this.byUser.get(userId);
    if (!members) return;
    const frame = jsonFrame(message);
    // Others have no topic of their own (protocol.md#alert-push, protocol.md#settings-push).
    const topic = message.type === 'FOREX_CLOSED' ? message.type : 'FOREX_TRADE';
    for (const { privateTopics, outbox } of members) {
      if (privateTopics.has(topic)) outbox.send(frame);
    }
  }
}

const ENDED = jsonFrame({ type: 'login', code: CODE_SIGNED_OUT });

const newSet = () => new Set<LoginSocket>();

function remove(map: Map<number, Set<LoginSocket>>, key: number, member: LoginSocket): void {
  const members = map.get(key);
  members?.delete(member);
  if (members?.size === 0) map.delete(key);
}
