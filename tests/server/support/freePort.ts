/** A port on loopback that nothing listens to. */
export const { freePort }: { freePort(): Promise<number> } = await import(
  '../../../scripts/lib/freePort.mjs' as string
);
