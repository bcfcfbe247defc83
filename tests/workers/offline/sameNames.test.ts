import { expect, test } from 'vitest';
import { sameNames } from '../../../workers/offline/fileCache';

test('files of the same name have different hashes', () => {
  const before = [
    '/assets/UserScreen-CJta5cLQ.js',
    '/assets/en-CILVgcJi.js',
    '/assets/old-a_-34567.js',
  ];
  const now = [
    '/assets/UserScreen-8_-SKHbA.js',
    // The styles were not loaded.
    '/assets/UserScreen-8BuSKHbA.css',
    '/assets/AboutScreen-CjEUqQc7.js',
    '/assets/en-CILVgcJi.js',
    '/assets/spa-BMs2TNS_.js',
  ];
  expect(sameNames(before, now)).toEqual([
    '/assets/UserScreen-8_-SKHbA.js',
    '/assets/en-CILVgcJi.js',
  ]);
});
