export function formerParts(): Promise<string | undefined>;
