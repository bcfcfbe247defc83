import { createContext } from 'react';

/**
 * A screen is shown in a panel, whose tab is its title: `root` where it is the first one there,
 * `inner` where Back leads to that. Undefined: the screen has the page.
 */
export const Embedded = createContext<'root' | 'inner' | undefined>(undefined);
