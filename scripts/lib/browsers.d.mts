export const TARGET: string[];
