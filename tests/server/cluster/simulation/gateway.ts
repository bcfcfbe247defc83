import { toDurationMs } from '#domain/core/time';
import type { EngineWatch } from '../../../../server/cluster/engineNews';
import type { EngineQuestions } from '../../../../server/cluster/engineQuestions';
import type { RemoteMarket } from '../../../../server/cluster/remoteMarket';
import type { UserPushes } from '../../../../server/cluster/userPushes';
import type { Logins } from '../../../../server/socket/logins';
import type { ClusterParts } from './clusterParts';
import type { PhoneSocket } from './phones';
import { Reader } from './reader';
import type { SimulatedBus } from './simulatedNats';
import type { SimulatedProcess } from './simulatedProcess';
import type { World } from './world';

/** How long the closing handshake of a websocket takes, ms. */
const CLOSING_MS = [5, 300] as const;

/** A gateway, as server/gatewayApp.ts composes it, without HTTP. */
export class Gateway {
  readonly process: SimulatedProcess;
  readonly bus: SimulatedBus;
  readonly sockets = new Set<PhoneSocket>();
  isServing = false;
  market: RemoteMarket | undefined;
  reader: Reader | undefined;
  readonly logins: Logins;
  private readonly world: World;
  private readonly parts: ClusterParts;
  private readonly engines: EngineWatch;
  private readonly users: UserPushes;
  private readonly questions: EngineQuestions;

  constructor(process: SimulatedProcess, world: World, parts: ClusterParts) {
    this.process = process;
    this.world = world;
    this.parts = parts;
    const bus = world.nats.connect(process);
    this.bus = bus;
    this.engines = new parts.EngineWatch({
      bus,
      clock: process.clock,
      // Here an engine that is not heard does not work either.
      answers: async () => false,
      onGap: (shard) => this.users.missed(shard),
      onSessionEnded: (sessionId) => this.logins.endSession(sessionId),
    });
    this.questions = parts.questions(bus, this.engines);
    this.users = new parts.UserPushes({
      bus,
      ask: (shard, subject, question) => this.questions.askEngine(shard, subject, question),
      toUser: (userId, message) => this.logins.toUser(userId, message),
      onGap: (userId) => {
        for (const socket of this.logins.of(userId)) this.cut(socket as PhoneSocket);
      },
    });
    this.logins = new parts.Logins((token) => this.questions.authenticate(token), this.users);
    process.onEnd(() => {
      this.isServing = false;
      for (const socket of this.sockets) socket.close(1006);
    });
  }

  async run(): Promise<void> {
    const { bus, process, world, parts } = this;
    const { log } = world;
    const market = await parts.whenAnswered('a market', { clock: process.clock, log }, () =>
      parts.RemoteMarket.open({
        bus,
        clock: new parts.SteadyClock(process.clock),
        log,
        name: world.feedName,
        onGap: () => {
          world.note('gap');
          for (const socket of this.sockets) this.cut(socket);
        },
        onOtherMarket: () => world.onOtherMarket(process),
      }),
    );
    this.reader = new Reader(process.name, market, bus, world);
    this.market = market;
    this.engines.start();
    await market.start();
    this.isServing = true;
  }

  accept(socket: PhoneSocket): void {
    this.sockets.add(socket);
    this.process.reach(() => {
      this.logins
        .login(socket, socket.token, () => socket.isOpen)
        .then(
          (isGood) => socket.answer(isGood === true),
          (error) => {
            if (!this.parts.isUnavailable(error)) this.world.fail(`login: ${error.stack}`);
            this.cut(socket);
          },
        );
    });
  }

  private cut(socket: PhoneSocket): void {
    const { random, note } = this.world;
    if (socket.isOpen) note('phone cut');
    socket.close(1012);
    this.process.clock.after(toDurationMs(random.between(...CLOSING_MS)), () => {
      this.sockets.delete(socket);
      this.logins.logout(socket);
    });
  }
}
