/*
 * Base UI registers these in the first sheet's layout effect, which computes the styles of the whole page anew within the tap.
 * It ignores that they are registered already.
 */
const LENGTHS = ['swipe-movement-x', 'swipe-movement-y', 'snap-point-offset'] as const;
const NUMBERS = { 'swipe-progress': '0', 'swipe-strength': '1' };

function register(name: string, syntax: string, initialValue: string): void {
  // Firefox has it since 128.
  CSS.registerProperty?.({ name: `--drawer-${name}`, syntax, inherits: false, initialValue });
}

for (const name of LENGTHS) register(name, '<length>', '0px');
for (const [name, initial] of Object.entries(NUMBERS)) register(name, '<number>', initial);
