export const TARGET: string[];
export const OLDEST: Record<string, string>;
