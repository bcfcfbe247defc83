import { expect, it } from 'vitest';
import type { CallFields } from '#domain/api/call';
import { parse, type Schema } from '#domain/api/schema';
import { saveSettings } from '#domain/api/settings';
import { SUBJECTS } from '#domain/api/subjects';

/** Changes of which a client can do nothing with the success alone. */
const NEED_DATA = [
  'account.login',
  'account.register',
  'account.uploadPicture',
  'security.exportData',
  'security.otpEnrol',
  'security.passkeyLogin',
  'security.passkeyLoginOptions',
  'security.passkeyOptions',
  'user.openDemo',
];

type Declared = CallFields & { answer: Schema<unknown, unknown> };

it('a change is done without readable data, but where the data is what was asked for (protocol.md#answers)', async () => {
  const failing: string[] = [];
  for (const [subject, load] of Object.entries(SUBJECTS)) {
    for (const [name, exported] of Object.entries<unknown>(await load())) {
      const call = exported as Partial<Declared> | undefined;
      // Of a call that is done once, the worker takes any data.
      if (call?.effect !== 'changes' || !call.answer) continue;
      if (parse(call.answer, null) === undefined) failing.push(`${subject}.${name}`);
    }
  }
  expect(failing.sort()).toEqual(NEED_DATA);
});

it.each([
  [{ revision: 10 }, []],
  [{ revision: 10, replaced: null }, []],
  [{ replaced: [{ field: 'a', value: 2 }, {}] }, [{ field: 'a', value: '2' }]],
])('a saved setting is done without what is missing of %j', (sent, replaced) => {
  expect(parse(saveSettings.answer, sent)).toEqual(replaced);
});
