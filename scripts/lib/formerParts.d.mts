export function formerParts(): Promise<string | undefined>;
export function serviceWorkerScript(commit?: string): Promise<string | undefined>;
export function rolesOf(name: string): Promise<string | undefined>;
