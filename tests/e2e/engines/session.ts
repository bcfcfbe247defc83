/** The session of a page or a browser in WebDriver BiDi. */
export interface Session {
  sessionId: string;
  send(method: string, params: object): Promise<unknown>;
}

/** The parameters that are read here. */
export interface Params {
  contexts?: string[];
  userContexts?: string[];
  features?: Record<string, string | null | undefined>;
  maxTouchPoints?: number | null;
  functionDeclaration?: string;
  arguments?: object[];
  userActivation?: boolean;
  /** Of events. */
  url?: string;
  download?: string;
  request?: { request?: string; bodySize?: number };
}

/** Answers a command in the browser's place. */
export type Answers = Record<string, (params: Params) => Promise<unknown>>;

export const DOWN = { type: 'pointerDown', button: 0 };
export const UP = { type: 'pointerUp', button: 0 };

export const moveTo = ({ x, y }: { x: number; y: number }, duration = 0) => ({
  type: 'pointerMove',
  x: Math.round(x),
  y: Math.round(y),
  duration,
});

/** What a finger does on the screen. */
export async function touch(session: Session, actions: object[]): Promise<void> {
  await session.send('input.performActions', {
    context: session.sessionId,
    actions: [{ type: 'pointer', id: 'finger', parameters: { pointerType: 'touch' }, actions }],
  });
}
