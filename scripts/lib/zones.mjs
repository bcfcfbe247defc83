/**
 * Zones that differ in what goes wrong: without summer time; behind UTC; summer time that begins at midnight; a quarter of
 * an hour off; a day that begins before all others.
 */
export const ZONES = ['UTC', 'America/Sao_Paulo', 'Africa/Cairo', 'Asia/Kathmandu', 'Pacific/Apia'];

/** The zone in which the unit tests of a commit run; TZ names another one. */
export const zoneOf = (commit) => process.env.TZ || ZONES[commit % ZONES.length];
