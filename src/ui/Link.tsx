import type { ComponentProps, MouseEvent } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';

interface LinkProps extends ComponentProps<'a'> {
  /** A path of the app (screens.md#routing), with its query. */
  to: string;
}

/**
 * A link to another screen. It uses the router's hooks, because the router's own `Link` adds 2 KB
 * for frameworks.
 */
export function Link({ to, onClick, ...props }: LinkProps) {
  const follow = useLinkClickHandler(to);
  const onLinkClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!event.defaultPrevented) follow(event);
  };
  return <a {...props} href={useHref(to)} onClick={onLinkClick} />;
}
