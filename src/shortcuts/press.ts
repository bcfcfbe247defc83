import { isComposing } from '../ui/isComposing';

/** Where keys are typed, or belong to what is open. */
const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
/** What has to be closed first: not a toast, which Base UI makes a dialog as well. */
const IN_FRONT = '[role=dialog]:not([aria-modal=false]), [role=menu]';
const OPEN = `${IN_FRONT}, dialog, [role=listbox]`;

/**
 * The character of a key, with whatever modifiers: a letter in lower case. On a keyboard of other letters than Latin ones, that of
 * the same place. Undefined for keys that are no character.
 */
export function keyCharacter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>) {
  if (/^[!-~]$/.test(key)) return key.toLowerCase();
  const place = /^(?:Key|Digit)([A-Z\d])$/.exec(code)?.[1];
  return [...key].length === 1 && key !== ' ' ? place?.toLowerCase() : undefined;
}

/** The key of an action that was pressed: Shift may only make a sign. Undefined for others. */
export function keyName(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return undefined;
  const isSign = /^[!-@[-`{-~]$/.test(event.key);
  return event.shiftKey && !isSign ? undefined : keyCharacter(event);
}

/** Whether a sheet, a dialog or a menu is in front of the screen, and has the focus until it closes. */
export function isCovered(): boolean {
  return document.querySelector(IN_FRONT) !== null;
}

/** Whether a key is one for an action: nobody types, nothing is open, and nobody else has taken it. */
export function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  return !target.closest(TYPING) && !target.closest(OPEN) && !isCovered();
}
