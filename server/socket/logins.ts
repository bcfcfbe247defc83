import type { PrivateTopic, ServerMessage } from '#domain/api/socket';
import { getOrInsert } from '../core/getOrInsert';
import type { Authenticate, Caller } from '../http/route';
import type { Outbox } from './outbox';
import { jsonFrame } from './textFrame';

/** A message for the sockets of one user. */
export type PrivateMessage = Extract<ServerMessage, { type: PrivateTopic | 'FOREX_ALERT' }>;

/** A socket that can log in. */
export interface LoginSocket {
  readonly outbox: Outbox;
  /** Remembered before a login, served after it. */
  readonly privateTopics: ReadonlySet<PrivateTopic>;
}

/** Logged-in sockets by user and session. */
export class Logins {
  private readonly authenticate: Authenticate;
  private readonly callers = new Map<LoginSocket, Caller>();
  private readonly byUser = new Map<number, Set<LoginSocket>>();
  private readonly bySession = new Map<number, Set<LoginSocket>>();
  /** Number of ended sessions: a token read before a session ended is read again. */
  private endings = 0;

  constructor(authenticate: Authenticate) {
    this.authenticate = authenticate;
  }

  /**
   * Logs a socket in; returns whether the token is valid. A previous login ends in any case.
   * `isOpen` returns whether the socket is still open.
   */
  async login(member: LoginSocket, token: string, isOpen: () => boolean): Promise<boolean> {
    this.logout(member);
    let caller: Caller | undefined;
    let endings: number;
    do {
      endings = this.endings;
      caller = await this.authenticate(token);
    } while (endings !== this.endings);
    if (!caller) return false;
    if (!isOpen()) return true;
    this.callers.set(member, caller);
    getOrInsert(this.byUser, caller.userId, newSet).add(member);
    getOrInsert(this.bySession, caller.sessionId, newSet).add(member);
    return true;
  }

  logout(member: LoginSocket): void {
    const caller = this.callers.get(member);
    if (!caller) return;
    this.callers.delete(member);
    remove(this.byUser, caller.userId, member);
    remove(this.bySession, caller.sessionId, member);
  }

  endSession(sessionId: number): void {
    this.endings++;
    for (const member of [...(this.bySession.get(sessionId) ?? [])]) this.logout(member);
  }

  toUser(userId: number, message: PrivateMessage): void {
    const members = this.byUser.get(userId);
    if (!members) return;
    const frame = jsonFrame(message);
    // Alerts have no topic of their own (protocol.md#alert-push).
    const topic = message.type === 'FOREX_ALERT' ? 'FOREX_TRADE' : message.type;
    for (const { privateTopics, outbox } of members) {
      if (privateTopics.has(topic)) outbox.send(frame);
    }
  }
}

const newSet = () => new Set<LoginSocket>();

function remove(map: Map<number, Set<LoginSocket>>, key: number, member: LoginSocket): void {
  const members = map.get(key);
  members?.delete(member);
  if (members?.size === 0) map.delete(key);
}
