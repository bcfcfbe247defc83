/**
 * Mobile numbers as people type them, and as they are compared (domain.md#users). Apart from `address.ts`, because
 * it brings the numbering plans of all countries.
 */
import {
  type CountryCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { latinDigits } from '../core/inputText';
import { type FieldProblem, fieldProblem } from '../core/rule';

interface Country {
  /** ISO 3166, two letters. */
  code: string;
  /** Digits, as "852". */
  globalCode: string;
}

/** Calling codes whose numbers kept a leading zero in the former form. */
const WITH_LEADING_ZERO = ['39', '378', '379', '225', '241', '242'];

/** What is typed, as digits and plus signs. */
function dialled(typed: string): string {
  return latinDigits(typed.normalize('NFKC')).replace(/[^+\d]/g, '');
}

function parsed(typed: string, country?: Country): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(typed, {
    ...(country && { defaultCountry: country.code as CountryCode }),
    extract: false,
  });
  return number?.isPossible() ? number : undefined;
}

/**
 * The number that is typed for a country: calling code and national number, digits only. A number with a calling code is
 * of that one. undefined where no number can be read.
 */
export function readMobile(typed: string, country: Country): string | undefined {
  return parsed(dialled(typed), country)?.number.slice(1);
}

/**
 * The former form of what is typed, in which older accounts were stored: all digits behind the chosen calling code. Empty
 * where there are none.
 */
export function formerMobile(typed: string, { globalCode }: Pick<Country, 'globalCode'>): string {
  const digits = dialled(typed).replaceAll('+', '');
  const national = WITH_LEADING_ZERO.includes(globalCode) ? digits : digits.replace(/^0+/, '');
  return national && globalCode + national;
}

/** Whether no number has this length: a numbering plan may get other patterns at any time. */
export function mobileProblem(number: string): FieldProblem<'account'> | undefined {
  return parsed(`+${number}`) ? undefined : fieldProblem('account', 'mobileInvalid');
}

/**
 * The one form in which a number with its calling code is compared. What can't be read stays, as digits. Digits that have
 * the length of a number are read as another one only where they are in no plan and have their calling code twice.
 */
export function canonicalMobile(text: string, countries: readonly Country[]): string {
  const digits = dialled(text).replaceAll('+', '');
  const whole = parsed(`+${digits}`);
  if (whole?.isValid()) return whole.number.slice(1);
  for (const country of countries) {
    const { globalCode } = country;
    const typed = digits.slice(globalCode.length);
    if (!digits.startsWith(globalCode) || (whole && !typed.startsWith(globalCode))) continue;
    // The former form has lost the zeros before it.
    const number = readMobile(typed, country) ?? readMobile(`0${typed}`, country);
    const right = whole ? number === typed && parsed(`+${typed}`)?.isValid() : true;
    if (right && number?.startsWith(globalCode)) return number;
  }
  return whole?.number.slice(1) ?? digits;
}

/** The former forms of a number in its canonical one, which accounts may still be stored in. */
export function formerForms(number: string, countries: readonly Country[]): string[] {
  const whole = parsed(`+${number}`);
  if (!whole) return [];
  const { countryCallingCode: called, nationalNumber } = whole;
  const national = dialled(whole.formatNational());
  const spellings = [
    nationalNumber,
    called + nationalNumber,
    `00${number}`,
    national,
    called + national,
  ];
  const forms = countries
    .filter(({ globalCode }) => number.startsWith(globalCode))
    .flatMap((area) => spellings.map((typed) => formerMobile(typed, area)));
  // One that is itself another number is not this one.
  return [...new Set(forms)].filter(
    (form) => form !== number && canonicalMobile(form, countries) === number,
  );
}
