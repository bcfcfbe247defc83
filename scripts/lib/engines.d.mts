export type Engine = 'chromium' | 'firefox' | 'webkit';
export const ENGINES: readonly Engine[];
export const OTHER_ENGINES: readonly Exclude<Engine, 'chromium'>[];
export function programOf(engine: Exclude<Engine, 'chromium'>): string | undefined;
export function missingEngine(engine: Exclude<Engine, 'chromium'>): string | undefined;
