import { afterEach, expect, test, vi } from 'vitest';
import { chooseCompany, renewCompany, savedCompany } from '../../../src/preferences/company';

afterEach(() => vi.restoreAllMocks());

test('a visit keeps the chosen provider for three more years (domain.md#companies)', () => {
  // biome-ignore lint/suspicious/noDocumentCookie: Another file may have chosen one.
  document.cookie = 'company_id=; path=/; max-age=-1';
  const write = vi.spyOn(document, 'cookie', 'set');
  renewCompany();
  expect(write).not.toHaveBeenCalled();
  chooseCompany(7);
  expect(savedCompany()).toBe(7);
  write.mockClear();
  renewCompany();
  expect(write).toHaveBeenCalledWith(expect.stringMatching(/^company_id=7; .*max-age=94608000/));
});
