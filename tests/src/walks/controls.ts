import { fireEvent } from '@testing-library/react';

/** What a user can press, type into or choose from. */
const CONTROLS = [
  ...['button', 'a[href^="#"]', 'input', 'select', 'textarea', 'summary'],
  ...['button', 'tab', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'option', 'switch'].map(
    (role) => `[role="${role}"]`,
  ),
].join(',');

/** The sheets and dialogs that are open, the newest last; a toast is none. */
export function openSheets(): HTMLElement[] {
  const all = document.querySelectorAll<HTMLElement>('[role="dialog"],[role="alertdialog"]');
  return [...all].filter((sheet) => isInReach(sheet) && !sheet.matches('[data-tone]'));
}

/** Whether a user can get at an element. */
export function isInReach(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at.matches('[inert],[hidden],[aria-hidden="true"],dialog:not([open])')) return false;
    if ((at as HTMLElement).style.display === 'none') return false;
  }
  return true;
}

/** What can be used now. */
export function controls(): HTMLElement[] {
  const found = [...document.querySelectorAll<HTMLElement>(CONTROLS)];
  // The speed test starts workers of its own.
  const measures = location.hash.startsWith('#/bench');
  return found.filter(
    (control) =>
      isInReach(control) && !isDisabled(control) && !(measures && control.tagName !== 'A'),
  );
}

function isDisabled(control: HTMLElement): boolean {
  return control.matches(
    ':disabled,[aria-disabled="true"],[type="file"],[data-base-ui-focus-guard]',
  );
}

/** What a user calls a control. Figures change while a walk is repeated, so that they are left out. */
export function nameOf(control: HTMLElement): string {
  const labelled = control.getAttribute('aria-labelledby')?.split(' ') ?? [];
  const texts = [
    control.getAttribute('aria-label'),
    labelled.map((id) => document.getElementById(id)?.textContent).join(' '),
    control.closest('label')?.textContent,
    (control as HTMLInputElement).labels?.[0]?.textContent,
    control instanceof HTMLSelectElement ? control.name : control.textContent,
    control.getAttribute('href'),
  ];
  const name = texts.find((text) => text?.trim())?.trim() ?? '';
  const kind = control.getAttribute('role') ?? control.tagName.toLowerCase();
  return `${kind} ${name.replaceAll(/[\d.,:+−-]*\d/g, '#').slice(0, 60)}`;
}

/** Whether pressing it again would rightly do nothing: it is what is chosen already, or leads to where the user is. */
export function isChosen(control: HTMLElement): boolean {
  if (control instanceof HTMLInputElement) return control.type === 'radio' && control.checked;
  const { hash } = location;
  // A browser says itself what is missing.
  const { form, type: kind } = control as HTMLButtonElement;
  if (kind === 'submit' && form && !form.noValidate && !form.checkValidity()) return true;
  // From what is no price there is no step.
  const beside = control.parentElement?.querySelector<HTMLInputElement>('[inputmode="decimal"]');
  if (beside && !(Number(beside.value) > 0)) return true;
  return (
    control.matches('[aria-current]:not([aria-current="false"]),[aria-selected="true"]') ||
    control.matches('[role="menuitemradio"][aria-checked="true"]') ||
    [hash, hash.replace(/\?.*/, '')].includes(control.getAttribute('href') ?? '')
  );
}

/** Whether a user types into it. */
export function isTextField(control: HTMLElement): boolean {
  const typed = ['text', 'search', 'email', 'tel', 'number', 'password', 'url', 'range'];
  const times = ['date', 'datetime-local'];
  return (
    control instanceof HTMLTextAreaElement ||
    (control instanceof HTMLInputElement && [...typed, ...times].includes(control.type))
  );
}

/** The finger goes down; the focus moves as a browser moves it. */
export function touch(control: HTMLElement): void {
  const event = { bubbles: true, cancelable: true, button: 0, pointerType: 'mouse', detail: 1 };
  fireEvent.pointerDown(control, event);
  if (!fireEvent.mouseDown(control, event)) return;
  const focused = control.closest<HTMLElement>('button,a,input,select,textarea,[tabindex]');
  if (focused) focused.focus();
  else (document.activeElement as HTMLElement | null)?.blur();
}

/** It goes up again. */
export function release(control: HTMLElement): void {
  const event = { bubbles: true, cancelable: true, button: 0, pointerType: 'mouse', detail: 1 };
  fireEvent.pointerUp(control, event);
  fireEvent.mouseUp(control, event);
  control.click();
}

export function type(control: HTMLElement, value: string): void {
  control.focus();
  fireEvent.input(control, { target: { value } });
}

export function choose(control: HTMLSelectElement, index: number): void {
  control.focus();
  const option = control.options[index % control.options.length];
  if (option) fireEvent.change(control, { target: { value: option.value } });
}

/** All that a user could see or hear of the page; what the press itself does to the focus is not part of it. */
export function appearance(): string {
  const fields = document.querySelectorAll<HTMLInputElement>('input,select,textarea');
  const values = [...fields].map(({ value, checked }) => `${value} ${checked}`);
  return [document.documentElement.outerHTML, location.href, ...values].join('\n');
}
