import { useState } from 'react';

/**
 * A picture whose address each answer signs anew, for some minutes: it is loaded once, and by a newer address only where that
 * fails. Another picture needs another key.
 */
export function SignedImage({ src, alt }: { src: string; alt: string }) {
  const [shown, show] = useState({ src, failed: false });
  if (shown.failed && shown.src !== src) show({ src, failed: false });
  return <img src={shown.src} alt={alt} onError={() => show({ ...shown, failed: true })} />;
}
