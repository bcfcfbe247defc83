import { useEffect, useState } from 'react';

/**
 * Whether a live region that is rendered with its component has been painted. A screen reader announces only what changes in
 * a region that it knows.
 */
export function useReadyRegion(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let frame = 0;
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setReady(true));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return ready;
}
