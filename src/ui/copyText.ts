/** Puts text on the clipboard; false where it can't. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard where the page is not served securely, as on a phone in a local network.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  // Within an open dialog nothing outside of it can be selected.
  (document.activeElement?.parentElement ?? document.body).append(field);
  const focused = document.activeElement as HTMLElement | null;
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return copied;
}
