import { describe, expect, it } from 'vitest';
import { refuseGuessable } from '../../../../server/account/password/guessable';

const ADDRESS = 'ann.smith@mail-house.example';

describe('a new password', () => {
  it.each([
    'password',
    'PassWord',
    '12345678',
    'qwertyuiop',
    'password123',
    'iloveyou',
    'ＰＡＳＳＷＯＲＤ',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'annsmithpassword',
    'fulcrum12345678',
  ])('may not be as common as %s', async (password) => {
    await expect(refuseGuessable(password, ADDRESS, 'Fulcrum')).rejects.toThrow(
      'server.passwordCommon',
    );
  });

  it.each([
    ADDRESS,
    ADDRESS.toUpperCase(),
    'ann.smith@mail-house',
    'ann.smith',
    'annsmith1990',
    'smith-mail-house',
    'Fulcrum2026',
    'smithFulcrum!',
  ])('may not be made of the address or the product: %s', async (password) => {
    await expect(refuseGuessable(password, ADDRESS, 'Fulcrum')).rejects.toThrow(
      'server.passwordPersonal',
    );
  });

  it('may not be the mobile number, with or without its calling code', async () => {
    for (const password of ['85261234567', '61234567']) {
      await expect(refuseGuessable(password, '85261234567', 'Fulcrum')).rejects.toThrow('Personal');
    }
  });

  it.each([
    'correct horse',
    'battery staple',
    'smith of the long road',
    'Fulcrum and lever',
    'tr0ub4dor&3',
    'пароль длиной в жизнь',
    '馬釘電池正確長密碼',
  ])('may be anything else: %s', async (password) => {
    await refuseGuessable(password, ADDRESS, 'Fulcrum');
  });
});
