import { computed, signal } from '@preact/signals-core';
import { dataSaver } from './preferences';

/** What browsers tell of the connection and the device; not all do. */
interface Hints {
  connection?: EventTarget & { saveData?: boolean; effectiveType?: string };
  deviceMemory?: number;
}

const { connection, deviceMemory = 8 } = navigator as Hints;

/** Save-Data, a link of the second generation, or at most 1 GB of memory (D34). */
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

/** Whether the data saver is on: by choice, or because of the device and its connection. */
export const saving = computed(() =>
  dataSaver.value === 'auto' ? constrained.value : dataSaver.value === 'on',
);
