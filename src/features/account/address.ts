import { useState } from 'react';
import { type AddressKind, normalEmail } from '#domain/account/address';
import { addressProblem } from '#domain/account/rules';
import type { Area } from '#domain/api/account';
import { success } from '#domain/core/result';
import type { FieldProblem } from '#domain/core/rule';
import { type Request, useRequest } from '../../requests/queries';
import { useValue } from '../../useValue';
import { api } from '../../worker/api';
import { country } from './country';

/** What reads numbers: the plans of all countries, which an email address does not need. */
type MobileReader = Pick<
  typeof import('#domain/account/mobileInput'),
  'readMobile' | 'formerMobile' | 'mobileProblem'
>;

interface AddressInput {
  type: AddressKind;
  email: string;
  /** As typed, with or without the calling code. */
  mobile: string;
}

/** The address of a login as it is typed: email or mobile number. */
export interface Address extends AddressInput {
  /** The country of the number: the chosen one, unless another calling code is typed. */
  area: Area | undefined;
  /** Another calling code is typed than that of the chosen country. */
  typedCode: boolean;
  areas: Request<Area[]>;
  reader: Request<MobileReader>;
  set(change: Partial<AddressInput>): void;
}

export function useAddress(initial: Partial<AddressInput>): Address {
  const [input, setInput] = useState<AddressInput>({
    type: 'email',
    email: '',
    mobile: '',
    ...initial,
  });
  const options = { scope: 'anyone', enabled: input.type === 'mobile' } as const;
  const areas = useRequest(['areas'], () => api('account.areaList', {}), options);
  const reader = useRequest<MobileReader>(
    ['mobile-reader'],
    async () => success(await import('#domain/account/mobileInput')),
    options,
  );
  const chosen = useValue(country) ?? homeCountry();
  const home = areas.data?.find(({ code }) => code === chosen) ?? areas.data?.[0];
  const area = home && reader.data && areaOf(input.mobile, home, areas.data ?? [], reader.data);
  return {
    ...input,
    area,
    typedCode: area !== home,
    areas,
    reader,
    set: (change) => setInput((now) => ({ ...now, ...change })),
  };
}

/** The area of what is typed where `chosen` is the country. */
function areaOf(
  input: string,
  chosen: Area,
  areas: readonly Area[],
  { readMobile }: Pick<MobileReader, 'readMobile'>,
): Area {
  const number = readMobile(input, chosen);
  if (number === undefined || number.startsWith(chosen.globalCode)) return chosen;
  return areas.find(({ id }) => id === areaIdOfNumber(number, areas)) ?? chosen;
}

/** The address as `account` and `to` carry it (protocol.md#login); empty where nothing is typed. */
export function accountOf({ type, email, mobile, area, reader }: Address): string {
  if (type === 'email') return normalEmail(email);
  if (!area || !reader.data) return '';
  // What can't be a number may be how an older account is stored.
  return reader.data.readMobile(mobile, area) ?? reader.data.formerMobile(mobile, area);
}

/** What is wrong with an address that a code is sent to or that is registered. */
export function problemOf(address: Address): FieldProblem<'account'> | undefined {
  const account = accountOf(address);
  const problem = addressProblem(address.type, account);
  return (
    problem ?? (address.type === 'mobile' ? address.reader.data?.mobileProblem(account) : undefined)
  );
}

/** The national number, which `register` needs in addition; empty for an email address. */
export function nationalOf(address: Address): string {
  const { area } = address;
  return areaIdOf(address) && area ? accountOf(address).slice(area.globalCode.length) : '';
}

/** Id of the area of a mobile number; 0 where it has none. */
export function areaIdOf(address: Address): number {
  const { type, area } = address;
  const fits = type === 'mobile' && area && accountOf(address).startsWith(area.globalCode);
  return fits ? area.id : 0;
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
