/** An address in part, enough for its owner to recognise it: `jo•••@example.com`, `+852•••4567`. */
export function masked(address: string): string {
  const at = address.indexOf('@');
  if (at > 0) return `${address.slice(0, Math.min(2, at))}•••${address.slice(at)}`;
  return `+${address.slice(0, 3)}•••${address.slice(-4)}`;
}
