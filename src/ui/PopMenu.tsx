import { useRef } from 'react';
import { lazyPart, ToldInBanner } from './lazyPart';
import type { PopMenuProps } from './PopMenuPopup';

const PopMenuPopup = lazyPart(() => import('./PopMenuPopup'), ToldInBanner);
export const preloadMenu = PopMenuPopup.preload;

/** A menu beside an element. Its code is loaded when it first opens. */
export function PopMenu(props: PopMenuProps) {
  const used = useRef(false);
  used.current ||= props.anchor !== undefined;
  if (!used.current) return null;
  return <PopMenuPopup {...props} />;
}
