// Receives on the page's thread, and looks at nothing.
import { openSocket } from '../lib/socket';

openSocket(() => {});
