// Receives on the main thread and ignores the data.
import { openSocket } from '../lib/socket';

openSocket(() => {});
