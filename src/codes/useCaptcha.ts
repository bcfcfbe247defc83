import { useState } from 'react';
import type { Captcha } from '#domain/api/account';
import { type Request, useRequest } from '../requests/queries';
import { api } from '../worker/api';
import { newKey } from '../worker/key';

/** A captcha for one form, and another one on request: what was read of it stays right in another language, and after a look at another panel. */
export function useCaptcha(enabled: boolean): { request: Request<Captcha>; another(): void } {
  const [picture, setPicture] = useState(newKey);
  const request = useRequest(['captcha', picture], () => api('account.captcha', {}), {
    scope: 'anyone',
    once: true,
    enabled,
  });
  return { request, another: () => setPicture(newKey()) };
}
