/** The name under which `stored` keeps the indicators. */
export const INDICATORS_KEY = 'indicators';

/** Whether any are kept, without the code that reads them. */
export function hasIndicators(): boolean {
  try {
    return (localStorage.getItem(`fulcrum.${INDICATORS_KEY}`)?.length ?? 0) > '[]'.length;
  } catch {
    return false;
  }
}
