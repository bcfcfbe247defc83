import { signal } from '@preact/signals-core';

/** What tells the device's time zone from others: its offsets in January and in July. A formatter knows its name, and costs a weak phone milliseconds. */
export const zoneNow = () =>
  [0, 6].map((month) => new Date(2026, month).getTimezoneOffset()).join();

const look = () => {
  timeZone.value = zoneNow();
};

/** The same, for what is on screen: an installed app stays in memory while its user travels. */
export const timeZone = signal(zoneNow(), {
  watched() {
    look();
    document.addEventListener('visibilitychange', look);
  },
  unwatched() {
    document.removeEventListener('visibilitychange', look);
  },
});
