/**
 * Whether the server has answered for the page. A proxy answers for one that is down; Firefox answers a navigation preload
 * without a network with an error of status 0, which a redirect has as well.
 */
export function isAnswer({ type, status }: Response): boolean {
  return type !== 'error' && status < 500;
}
