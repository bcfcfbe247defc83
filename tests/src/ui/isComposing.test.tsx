import { fireEvent } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { CaptchaField } from '../../../src/codes/CaptchaField';
import { showLanguage } from '../../../src/i18n/i18n';
import { NumberField } from '../../../src/ui/NumberField';
import { SearchField } from '../../../src/ui/SearchField';
import { renderSettled } from '../rendering';

const done = vi.fn();
const texts = { label: 'Field', text: '', placeholder: '', onChange: () => undefined };

beforeEach(async () => {
  done.mockClear();
  await showLanguage('en');
});

test.each([
  ['a search', 'Enter', <SearchField {...texts} key="search" onEnter={done} />],
  [
    'a captcha',
    'Enter',
    <CaptchaField
      key="captcha"
      name="captcha"
      captcha={{ data: undefined, failure: undefined } as never}
      onAnother={() => undefined}
      value=""
      onChange={() => undefined}
      error={undefined}
      onEnter={done}
    />,
  ],
  ['a number', 'ArrowUp', <NumberField key="number" {...texts} onStep={done} />],
])('%s leaves %s to an input method, in Safari too', async (_, key, field) => {
  await renderSettled(field);
  const input = document.querySelector('input') as HTMLInputElement;
  for (const init of [{ isComposing: true }, { keyCode: 229 }])
    fireEvent.keyDown(input, { key, ...init });
  expect(done).not.toHaveBeenCalled();
  fireEvent.keyDown(input, { key });
  expect(done).toHaveBeenCalledOnce();
});
