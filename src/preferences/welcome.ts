import { stored } from './stored';

/** The visitor has dismissed what says what this is, or has logged in since. */
export const welcomeRead = stored('welcome-read', false, (value) => value === true);
