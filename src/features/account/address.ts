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
import { country } from './country';

/** The address of a login as it is typed: email or mobile number. */
export interface Address {
  type: AddressKind;
  email: string;
  /** As typed, without the calling code. */
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
    scope: 'anyone',
    enabled: typed.type === 'mobile',
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

/** The address as `account` and `to` carry it (protocol.md#login); empty where nothing is typed. */
export function accountOf({ type, email, mobile, area }: Address): string {
  if (type === 'email') return normalEmail(email);
  const digits = nationalNumber(area?.globalCode ?? '', mobile);
  return digits && mobileNumber(area?.globalCode ?? '', mobile);
}

/** The national number, which `register` needs in addition; empty for an email address. */
export function nationalOf({ type, mobile, area }: Address): string {
  return type === 'mobile' ? nationalNumber(area?.globalCode ?? '', mobile) : '';
}

export function areaIdOf({ type, area }: Address): number {
  return type === 'mobile' ? (area?.id ?? 0) : 0;
}

/** Id of the area whose calling code an international number starts with; 0 where it is unknown. */
export function areaIdOfNumber(number: string, areas: readonly Area[]): number {
  const fitting = areas.filter(({ globalCode }) => number.startsWith(globalCode));
  return fitting.sort((a, b) => b.globalCode.length - a.globalCode.length)[0]?.id ?? 0;
}

/**
 * The country of the browser's language; where the language names none, the country with most of
 * its speakers.
 */
function homeCountry(): string | undefined {
  try {
    const locale = new Intl.Locale(navigator.language);
    // `maximize` reads tables of all languages, which takes longer than the screen's first render.
    return locale.region ?? locale.maximize().region;
  } catch {
    return undefined;
  }
}
