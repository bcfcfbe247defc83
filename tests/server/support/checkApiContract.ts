import { afterAll, afterEach } from 'vitest';
import { expectNoViolations } from './apiContract';

afterEach(expectNoViolations);
afterAll(expectNoViolations);
