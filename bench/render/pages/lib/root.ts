import './page.css';

/** Milliseconds between two paints; 0: whenever quotes arrive. */
export const frameInterval = Number(new URLSearchParams(location.search).get('frameInterval') ?? 0);

export const ROW = 56;

export function rootElement(): HTMLElement {
  return document.getElementById('root') as HTMLElement;
}
