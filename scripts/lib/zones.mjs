/**
 * Zones that differ in what goes wrong: without summer time; behind UTC; summer time that begins at midnight; a quarter of
 * an hour off; a day that begins before all others.
 */
export const ZONES = ['UTC', 'America/Sao_Paulo', 'Africa/Cairo', 'Asia/Kathmandu', 'Pacific/Apia'];

/** The zone in which the tests of a commit run, and its browsers; TZ names another one. */
export const zoneOf = (commit) => process.env.TZ || ZONES[commit % ZONES.length];

/** Another zone, for the servers that browsers meet: what a device says of its day is not computed there. */
export const otherZone = (zone) => ZONES[(ZONES.indexOf(zone) + 1) % ZONES.length];
