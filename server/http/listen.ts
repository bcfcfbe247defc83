import type { FastifyInstance } from 'fastify';

/** Returns the port. `::` is all addresses, IPv6 and IPv4; of a machine without IPv6, those of IPv4. */
export async function listenOn(
  http: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (host !== '::' || (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL')) throw error;
    await http.listen({ host: '0.0.0.0', port });
  }
  const address = http.server.address();
  return typeof address === 'object' && address ? address.port : port;
}
