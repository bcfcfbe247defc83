import { useState } from 'react';
import {
  type AddressKind,
  mobileNumber,
  nationalNumber,
  normalEmail,
} from '#domain/account/address';
import type { Area } from '#domain/account/settings';
import { gateway } from '../../gateway/client';
import { type Request, useRequest } from '../../requests/queries';
import { useValue } from '../../signals';
import { country } from './settings';

/** What somebody is known by, as it is typed. */
export interface Address {
  type: AddressKind;
  email: string;
  /** As typed; the calling code stands before it. */
  mobile: string;
  area: Area | undefined;
  areas: Request<Area[]>;
  set(change: Partial<Pick<Address, 'type' | 'email' | 'mobile'>>): void;
}

export function useAddress(initial: Partial<Pick<Address, 'type' | 'email' | 'mobile'>>): Address {
  const [typed, setTyped] = useState({
    type: 'email' as AddressKind,
    email: '',
    mobile: '',
    ...initial,
  });
  const areas = useRequest(['areas'], () => gateway.areas(), {
    whose: 'anyone',
    wanted: typed.type === 'mobile',
  });
  const chosen = useValue(country) ?? homeCountry();
  const area = areas.data?.find(({ code }) => code === chosen) ?? areas.data?.[0];
  return {
    ...typed,
    area,
    areas,
    set: (change) => setTyped((now) => ({ ...now, ...change })),
  };
}

/** `account` and `to` (protocol.md#login); empty where nothing is typed. */
export function accountOf({ type, email, mobile, area }: Address): string {
  if (type === 'email') return normalEmail(email);
  const digits = nationalNumber(area?.globalCode ?? '', mobile);
  return digits && mobileNumber(area?.globalCode ?? '', mobile);
}

/** The national number that `register` carries besides; empty for an email address. */
export function nationalOf({ type, mobile, area }: Address): string {
  return type === 'mobile' ? nationalNumber(area?.globalCode ?? '', mobile) : '';
}

export function areaIdOf({ type, area }: Address): number {
  return type === 'mobile' ? (area?.id ?? 0) : 0;
}

/** Whose calling code a whole number begins with; 0 where that is not known. */
export function areaIdOfNumber(number: string, areas: readonly Area[]): number {
  const fitting = areas.filter(({ globalCode }) => number.startsWith(globalCode));
  return fitting.sort((a, b) => b.globalCode.length - a.globalCode.length)[0]?.id ?? 0;
}

/** Where the browser's language is most spoken, if it does not name a country itself. */
function homeCountry(): string | undefined {
  try {
    return new Intl.Locale(navigator.language).maximize().region;
  } catch {
    return undefined;
  }
}
