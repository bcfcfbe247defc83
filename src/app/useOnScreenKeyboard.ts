import { useEffect } from 'react';

const FIELDS = 'input, textarea, select';

/**
 * Keeps the app in the part of the window that a keyboard on the screen leaves (base.css, Sheet.module.css): phones don't make the
 * window smaller for it, nor `dvh`, but move what is seen of it.
 */
export function useOnScreenKeyboard(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const { documentElement: root } = document;
    const set = (name: string, value: number | undefined) => {
      if (value === undefined) root.style.removeProperty(name);
      else root.style.setProperty(name, `${value}px`);
    };
    const follow = (event?: Event) => {
      const field = document.activeElement;
      const { height, offsetTop, scale } = viewport;
      // Somebody who has zoomed in sees a part as well.
      const shown = scale === 1 && field?.matches(FIELDS) && height < root.clientHeight;
      set('--visible-height', shown ? height : undefined);
      set('--visible-top', shown ? offsetTop : undefined);
      if (shown && event?.type !== 'scroll') field.scrollIntoView({ block: 'nearest' });
    };
    follow();
    viewport.addEventListener('resize', follow);
    viewport.addEventListener('scroll', follow);
    return () => {
      viewport.removeEventListener('resize', follow);
      viewport.removeEventListener('scroll', follow);
    };
  }, []);
}
