/**
 * The network of an address: the address itself, or its first 64 bits for IPv6, which one household
 * shares. Undefined for loopback, which is not limited (D7).
 */
export function networkOf(address: string): string | undefined {
  if (isLoopback(address)) return undefined;
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = ''] = plain.split('%');
  const [before = '', after] = head.split('::');
  const groups = before === '' ? [] : before.split(':');
  const rest = after ? after.split(':') : [];
  while (after !== undefined && groups.length + rest.length < 8) groups.push('0');
  return [...groups, ...rest].slice(0, 4).join(':');
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
