import { expect, test } from 'vitest';
import { sameNames } from '../../../workers/offline/fileCache';

test.each([
  ['of this kind', ['UserScreen-cjta5c0.js', 'en-cilvgcj.js', 'old-a1234567.js']],
  ['of a former release', ['UserScreen-CJta5cLQ.js', 'en-CILVgcJi.js', 'old-a_-34567.js']],
])('files of the same name have different hashes, before: %s', (_, before) => {
  const now = [
    'UserScreen-8buskhb.js',
    // The styles were not loaded.
    'UserScreen-8buskhb.css',
    'AboutScreen-cjeuqqc.js',
    'en-cilvgcj.js',
    'spa-bms2tns.js',
  ];
  expect(sameNames(before, now)).toEqual(['UserScreen-8buskhb.js', 'en-cilvgcj.js']);
});
