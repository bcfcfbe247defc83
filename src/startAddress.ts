/** Path and query of the screen that the page starts at, after the whole hash. Also part of src/boot.ts, and so without any library. */
export const startAddress = () => /^#([^?]+)(\?.*)?/.exec(location.hash) ?? [];
