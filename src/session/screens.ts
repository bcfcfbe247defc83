/** Paths of the screens that there are. The route table fills it: features link to each other without knowing each other. */
export const screens = new Set<string>();
