/** What the units of an instrument are called, where its code names it: `DOGE` of `DOGEUSD` and of `DOGE/USDC`. */
export function boughtSymbol(code: string): string | undefined {
  return /^(.+?)\/?USD[TC]?$/.exec(code)?.[1];
}
