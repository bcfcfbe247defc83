import type { AlertsWorkerApi } from '#domain/worker/alerts';
import type { Session } from '../account/session';
import type { Connection } from '../connection/connection';
import type { Clock, OtherTabs, Storage } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Api } from '../http/api';
import type { Http } from '../http/client';
import type { ServerFeatures } from '../http/serverFeatures';
import type { Instruments } from '../market/instruments';
import type { Trading } from '../trading/trading';

/** The calls about alerts. */
export type AlertCalls = Omit<AlertsWorkerApi, 'setTitleInstrument'>;

export interface AlertsOptions {
  clock: Clock;
  /** The wall clock, in which alerts end. */
  wallClock: Pick<Clock, 'now'>;
  otherTabs: OtherTabs;
  api: Api;
  http: Http;
  session: Session;
  storage: Storage;
  connection: Pick<Connection, 'dispatch' | 'isLoggedIn' | 'serverClock' | 'tracker'>;
  instruments: Instruments;
  trading: Pick<Trading, 'prices' | 'followAccount'>;
  frames: Frames;
  serverFeatures: ServerFeatures;
  /** The base address, and the header `lang`. */
  base: () => string;
  language: () => string;
}

export interface AlertServiceOptions extends AlertsOptions {
  /** The alerts may have changed. */
  changed: () => void;
}
