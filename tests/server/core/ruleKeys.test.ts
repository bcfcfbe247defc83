import { expectTypeOf, it } from 'vitest';
import type { RuleKey } from '#domain/core/rule';
import type { MessageKey } from '../../../server/core/translate';

it('has every sentence under rules, and no other', () => {
  expectTypeOf<`rules.${RuleKey}`>().toEqualTypeOf<Extract<MessageKey, `rules.${string}`>>();
});
