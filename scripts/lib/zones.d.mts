export function otherZone(zone: string): string;
