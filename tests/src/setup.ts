import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// A loaded machine is slow, not wrong.
configure({ asyncUtilTimeout: 30_000 });
// Testing Library does this by itself only where the test functions are globals.
afterEach(cleanup);
// The files of a process share its document.
afterAll(() => document.body.replaceChildren());
