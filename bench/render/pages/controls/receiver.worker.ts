import { openSocket } from '../lib/socket';

openSocket(() => {});
