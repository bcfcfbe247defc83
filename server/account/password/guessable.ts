import { MIN_PASSWORD } from '#domain/account/rules';
import { CODE_REFUSED, Refusal } from '../../http/refusal';

/** Loaded for the first new password. */
let passwords: Promise<ReadonlySet<string>> | undefined;
/** A password needs at least this many different characters. */
const LEAST_DIFFERENT = 4;
/** Ignore shorter parts of an address, which occur in many words. */
const SHORTEST_PART = 4;

/**
 * Refuses passwords that are guessed first (D36): the commonest ones, and those that are made of the
 * user's address or the product's name.
 */
export async function refuseGuessable(
  password: string,
  address: string,
  product: string,
): Promise<void> {
  const plain = plainOf(password);
  const rest = personalParts(address, product).reduce(
    (left, part) => left.replaceAll(part, ''),
    plain,
  );
  if (plainOf(address).includes(plain) || [...rest].length < MIN_PASSWORD) {
    throw new Refusal(CODE_REFUSED, 'server.passwordPersonal');
  }
  passwords ??= commonPasswords();
  const common = await passwords;
  if (common.has(plain) || common.has(rest) || new Set(plain).size < LEAST_DIFFERENT) {
    throw new Refusal(CODE_REFUSED, 'server.passwordCommon');
  }
}

/** About 50,000 passwords of leaks, in lower case. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'] as string[]);
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
