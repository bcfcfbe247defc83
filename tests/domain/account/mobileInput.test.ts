import fc from 'fast-check';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import {
  canonicalMobile,
  formerForms,
  formerMobile,
  mobileProblem,
  readMobile,
} from '#domain/account/mobileInput';

const areas = getCountries()
  .map((code) => ({ code, globalCode: getCountryCallingCode(code) }))
  .filter(({ code, globalCode }) => globalCode !== '1' || code === 'US');
const area = (code: string, globalCode: string) => ({ code, globalCode });
const FR = area('FR', '33');
const AG = area('AG', '1268');

/** A mobile number of each country, as its numbering plan gives one. */
const samples = areas.flatMap((area) => {
  const example = getExampleNumber(area.code, examples);
  return example ? [{ area, example, number: example.number.slice(1) }] : [];
});
const anySample = fc.constantFrom(...samples);

describe('a typed mobile number (domain.md#users)', () => {
  it.each([
    ['+33 6 12 34 56 79', FR, '33612345679'],
    ['0033612345679', FR, '33612345679'],
    ['33612345679', FR, '33612345679'],
    ['06 12 34 56 79', FR, '33612345679'],
    ['+33 (0)6 12 34 56 79', FR, '33612345679'],
    ['tel:+33-6-12-34-56-79', FR, '33612345679'],
    ['\u202a+33 6 12 34 56 79\u202c', FR, '33612345679'],
    ['+44 7911 123456', FR, '447911123456'],
    ['＋３３ ６ 12 34 56 79', FR, '33612345679'],
    ['٠٦١٢٣٤٥٦٧٩', FR, '33612345679'],
    ['๐๖๑๒๓๔๕๖๗๙', FR, '33612345679'],
    ['০৬১২৩৪৫৬৭৯', FR, '33612345679'],
    ['०९८७६५ ४३२१०', area('IN', '91'), '919876543210'],
    ['8 912 345-67-89', area('RU', '7'), '79123456789'],
    ['06 20 123 4567', area('HU', '36'), '36201234567'],
    ['06 1234 5678', area('IT', '39'), '390612345678'],
    ['011 15 2345 6789', area('AR', '54'), '5491123456789'],
    ['(0)7911-123456', area('GB', '44'), '447911123456'],
    ['268 464 1234', AG, '12684641234'],
    ['464 1234', AG, '12684641234'],
    ['201-555-0123', area('US', '1'), '12015550123'],
  ])('%j is read as digits with the calling code', (typed, country, number) => {
    expect(readMobile(typed, country)).toBe(number);
    expect(mobileProblem(number)).toBeUndefined();
  });

  it.each(['', '0', '123', '+33 6 12', 'none', '+33 6 12 34 56 79 80 81'])(
    '%j is no number of France',
    (typed) => expect(readMobile(typed, FR)).toBeUndefined(),
  );

  it('is the same in each country, with its trunk prefix or the calling code, whatever is between the digits', () => {
    fc.assert(
      fc.property(
        anySample,
        fc.constantFrom('', ' ', '-', '.', '\u200e', '\u00a0'),
        (sample, gap) => {
          const { area, example, number } = sample;
          const national = example.formatNational();
          const forms = [national, example.formatInternational(), example.nationalNumber];
          for (const form of forms) {
            const typed = [...form].join(gap);
            expect([typed, readMobile(typed, area)]).toEqual([typed, number]);
          }
        },
      ),
    );
  });

  it('is compared in one form, also where it is stored in the former one', () => {
    fc.assert(
      fc.property(anySample, ({ area, example, number }) => {
        expect(canonicalMobile(number, areas)).toBe(number);
        for (const typed of [example.nationalNumber, example.number, `00${number}`]) {
          const former = formerMobile(typed, area);
          const read = canonicalMobile(former, areas);
          // Digits that are a number of their own are not taken for another one.
          if (mobileProblem(former)) expect(read).toBe(number);
          if (read === number && former !== number) {
            expect(formerForms(number, areas)).toContain(former);
          }
          expect(canonicalMobile(read, areas)).toBe(read);
        }
      }),
    );
  });

  it.each([
    ['3333612345679', '33612345679'],
    ['789123456789', '79123456789'],
    ['54111523456789', '5491123456789'],
    ['366201234567', '36201234567'],
    // Eleven digits are a length of Hong Kong, but in no plan.
    ['85285261234567', '85261234567'],
    ['12682684641234', '12684641234'],
    ['126812684641234', '12684641234'],
  ])('the former %s is %s', (former, number) => {
    const all = [...areas, AG];
    expect(canonicalMobile(former, all)).toBe(number);
    expect(formerForms(number, all)).toContain(former);
  });

  it('stays as it is where it can’t be read', () => {
    expect(canonicalMobile('15551234', areas)).toBe('15551234');
    expect(formerForms('15551234', areas)).toEqual([]);
    expect(formerMobile('555-1234', area('US', '1'))).toBe('15551234');
    expect(mobileProblem('15551234')).toMatchObject({ message: { key: 'mobileInvalid' } });
  });

  it('is digits, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        expect(readMobile(typed, FR) ?? '').toMatch(/^\d*$/);
        expect(canonicalMobile(typed, areas)).toMatch(/^\d*$/);
      }),
    );
  });
});
