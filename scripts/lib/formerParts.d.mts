export function formerParts(): Promise<string | undefined>;
export function serviceWorkerScript(commit?: string): Promise<string>;
export function rolesOf(name: string): Promise<string | undefined>;
