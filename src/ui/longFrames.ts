/**
 * Counts frames that keep the page busy for more than 50 ms, since the page began. Returns the
 * function that ends it and tells how many there were; undefined where the browser does not tell.
 */
export function countLongFrames(): () => number | undefined {
  const type = ['long-animation-frame', 'longtask'].find((each) =>
    PerformanceObserver.supportedEntryTypes.includes(each),
  );
  if (type === undefined) return () => undefined;
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    count += list.getEntries().length;
  });
  observer.observe({ type, buffered: true });
  return () => {
    count += observer.takeRecords().length;
    observer.disconnect();
    return count;
  };
}
