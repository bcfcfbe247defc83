import { computed, signal } from '@preact/signals-core';
import { dataSaver } from './preferences';

/** What some browsers report of connection and device. */
interface Hints {
  connection?: EventTarget & { saveData?: boolean; effectiveType?: string };
  deviceMemory?: number;
}

const { connection, deviceMemory = 8 } = navigator as Hints;

/** Save-Data, a 2G connection, or at most 1 GB of memory. */
function isConstrained(): boolean {
  return (
    connection?.saveData === true ||
    /2g$/.test(connection?.effectiveType ?? '') ||
    deviceMemory <= 1
  );
}

const constrained = signal(isConstrained());
connection?.addEventListener('change', () => {
  constrained.value = isConstrained();
});

/**
 * Whether the data saver is on: by the user's choice, or automatically by device and connection.
 */
export const dataSaverOn = computed(() =>
  dataSaver.value === 'auto' ? constrained.value : dataSaver.value === 'on',
);
