import type { CompanyRow } from '#domain/api/companies';

/**
 * Service providers of the main-site variant. None of them exists; their domains are reserved for
 * examples.
 */
export const COMPANIES: readonly CompanyRow[] = [
  company(
    1,
    'Harborlight Markets',
    'Harborlight Markets (Hong Kong) Limited',
    'Hong Kong',
    'Unit 2107, Example Tower, 18 Sample Road Central, Hong Kong',
    'harborlight',
  ),
  company(
    2,
    'Northgate Prime',
    'Northgate Prime Securities LLP',
    'London, United Kingdom',
    '4 Imaginary Wharf, London E14 0XX, United Kingdom',
    'northgate-prime',
  ),
  company(
    3,
    'Cedar & Vane',
    'Cedar & Vane Brokerage Pty Ltd',
    'Sydney, Australia',
    'Level 9, 77 Placeholder Street, Sydney NSW 2000, Australia',
    'cedar-vane',
  ),
  company(
    4,
    'Mistral FX',
    'Mistral Courtage SAS',
    'Paris, France',
    '12 rue de l’Exemple, 75002 Paris, France',
    'mistral-fx',
  ),
  company(
    5,
    'Tsubaki Trading',
    'Tsubaki Trading K.K.',
    'Tokyo, Japan',
    '3-2-1 Example, Chuo-ku, Tokyo 103-0000, Japan',
    'tsubaki',
  ),
  company(
    6,
    'Alpenblick Invest',
    'Alpenblick Invest AG',
    'Zurich, Switzerland',
    'Musterweg 5, 8001 Zürich, Switzerland',
    'alpenblick',
  ),
  company(
    7,
    'Lion City Futures',
    'Lion City Futures Pte. Ltd.',
    'Singapore',
    '1 Fictional Quay, #14-02, Singapore 049000',
    'lioncity',
  ),
  company(
    8,
    'Meridian Atlantic',
    'Meridian Atlantic Clearing Inc.',
    'New York, United States',
    '88 Fictional Plaza, New York, NY 10000, United States',
    'meridian-atlantic',
  ),
  company(
    9,
    'Gulf Pearl Capital',
    'Gulf Pearl Capital Limited',
    'Dubai, United Arab Emirates',
    'Office 301, Sample Gate Building, Dubai, United Arab Emirates',
    'gulfpearl',
  ),
  company(
    10,
    '海港環球',
    '海港環球金融有限公司',
    '香港',
    '香港中環示例道18號範例大廈2107室',
    'harbour-global',
  ),
];

function company(
  id: number,
  name: string,
  subject: string,
  location: string,
  registeredAddress: string,
  host: string,
): CompanyRow {
  return {
    id,
    name,
    subject,
    logo: '',
    url: `https://${host}.example`,
    registered_address: registeredAddress,
    location,
    email: `service@${host}.example`,
  };
}
