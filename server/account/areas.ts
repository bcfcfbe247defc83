import type { AreaRow } from '#domain/api/account';
import { LANGUAGE_TAGS, type Language } from '#domain/core/language';
import { CODE_REFUSED, Refusal } from '../http/refusal';

/**
 * Calling codes of the world (ITU E.164) by ISO 3166 country, without the countries that are not
 * served (domain.md#served-countries).
 */
const CALLING_CODES =
  'AC247 AD376 AE971 AF93 AG1268 AI1264 AL355 AM374 AO244 AR54 AS1684 AT43 AU61 AW297 AX358 AZ994 ' +
  'BA387 BB1246 BD880 BE32 BF226 BG359 BH973 BI257 BJ229 BL590 BM1441 BN673 BO591 BQ599 BR55 BS1242 ' +
  'BT975 BW267 BY375 BZ501 CA1 CC61 CD383 CF236 CG242 CH41 CI225 CK682 CL56 CM237 CO57 CR506 CV238 ' +
  'CW599 CX61 CY357 CZ420 DE49 DJ253 DK45 DM1767 DO1809 DZ213 EC593 EE372 EG20 EH212 ER291 ES34 ' +
  'ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GD1473 GE995 GF594 GG44 GH233 GI350 GL299 ' +
  'GM220 GN224 GP590 GQ240 GR30 GT502 GU1671 GW245 GY592 HK852 HN504 HR385 HT509 HU36 ID62 IE353 ' +
  'IM44 IN91 IO246 IQ964 IR98 IS354 IT39 JE44 JM1876 JO962 JP81 KE254 KG996 KH855 KI686 KM269 ' +
  'KN1869 KR82 KW965 KY1345 KZ7 LA856 LB961 LC1758 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 ' +
  'MA212 MC377 MD373 ME382 MF590 MG261 MH692 MK389 ML223 MM95 MN976 MO853 MP1670 MQ596 MR222 MS1664 ' +
  'MT356 MU230 MV960 MW265 MX52 MY60 MZ258 NA264 NC687 NE227 NF672 NG234 NI505 NL31 NO47 NP977 ' +
  'NR674 NU683 NZ64 OM968 PA507 PE51 PF689 PG675 PH63 PK92 PL48 PM508 PR1787 PS970 PT351 PW680 ' +
  'PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD389 SE46 SG65 SH290 SI386 SJ47 SK421 ' +
  'SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SX1721 SY963 SZ268 TC1649 TD235 TG228 TH66 TJ992 ' +
  'TK690 TL670 TM993 TN216 TO676 TR90 TT1868 TV688 TW886 TZ255 UA380 UG256 US1 UY598 UZ998 VA39 ' +
  'VC1784 VE58 VG1284 VI1340 VN84 WF681 WS685 XK383 YE967 YT262 ZA27 ZM260 ZW263';

interface Area {
  /** Computed from the letters of the country, so that it does not change with the table. */
  id: number;
  /** ISO 3166, two letters. */
  code: string;
  globalCode: string;
}

const LETTER_A = 65;

/** Countries whose mobile numbers are accepted, by country code. */
export const AREAS: readonly Area[] = CALLING_CODES.split(' ').map((entry) => {
  const code = entry.slice(0, 2);
  const id = (code.charCodeAt(0) - LETTER_A) * 26 + code.charCodeAt(1) - LETTER_A + 1;
  return { id, code, globalCode: entry.slice(2) };
});

const rowsOf = new Map<Language, AreaRow[]>();

/** Sorted by name in the user's language. */
export function areaRows(language: Language): AreaRow[] {
  const rows = rowsOf.get(language) ?? sortedRows(language);
  rowsOf.set(language, rows);
  return rows;
}

function sortedRows(language: Language): AreaRow[] {
  const tag = LANGUAGE_TAGS[language];
  const names = new Intl.DisplayNames([tag], { type: 'region' });
  const { compare } = new Intl.Collator(tag);
  return AREAS.map(({ id, code, globalCode }) => ({
    id,
    code,
    global_code: globalCode,
    name: names.of(code) ?? code,
  })).sort((a, b) => compare(a.name, b.name));
}

/**
 * Throws a Refusal unless the number starts with the area's calling code; with areaId 0, with that
 * of any area.
 */
export function checkArea(number: string, areaId: number): Area | undefined {
  const area = AREAS.find(({ id }) => id === areaId);
  if (areaId !== 0 && !area) throw new Refusal(CODE_REFUSED, 'server.areaUnknown');
  const fits = (area ? [area] : AREAS).some(({ globalCode }) => number.startsWith(globalCode));
  if (!fits) throw new Refusal(CODE_REFUSED, area ? 'server.areaDiffers' : 'server.areaUnknown');
  return area;
}
