/** Copies text to the clipboard; false where that fails. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages that are not served securely, as in a local network, have no clipboard API.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  // An open dialog allows selection only inside itself.
  (document.activeElement?.parentElement ?? document.body).append(field);
  const focused = document.activeElement as HTMLElement | null;
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return copied;
}
