import { dictionary } from '@zxcvbn-ts/language-common';
import { MIN_PASSWORD } from '#domain/account/rules';
import { CODE_REFUSED, Refusal } from '../../http/refusal';

/** About 50,000 passwords of leaks, the commonest first, in lower case. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'] as string[]);
/** A password needs at least this many different characters. */
const LEAST_DIFFERENT = 4;
/** Ignore shorter parts of an address, which occur in many words. */
const SHORTEST_PART = 4;

/**
 * Refuses passwords that are guessed first (D36): the commonest ones, and those that are made of the
 * user's address or the product's name.
 */
export function refuseGuessable(password: string, address: string, product: string): void {
  const plain = plainOf(password);
  const rest = personalParts(address, product).reduce(
    (left, part) => left.replaceAll(part, ''),
    plain,
  );
  if (plainOf(address).includes(plain) || [...rest].length < MIN_PASSWORD) {
    throw new Refusal(CODE_REFUSED, 'server.passwordPersonal');
  }
  const common = COMMON.has(plain) || COMMON.has(rest) || new Set(plain).size < LEAST_DIFFERENT;
  if (common) throw new Refusal(CODE_REFUSED, 'server.passwordCommon');
}

/** The address, its parts and the product's name; the longest first. */
function personalParts(address: string, product: string): string[] {
  const [local = '', domain = ''] = plainOf(address).split('@');
  const words = (text: string) => text.split(/[^\p{L}\p{N}]+/u);
  const parts = [plainOf(address), local, words(local).join(''), ...words(local), ...words(domain)];
  return [...parts, plainOf(product), ...words(plainOf(product))]
    .filter((part) => [...part].length >= SHORTEST_PART)
    .sort((a, b) => b.length - a.length);
}

function plainOf(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
