/**
 * Copies text to the clipboard; false where that fails. Call it in the handler of a click or a key, with text that has yet to come
 * too: Safari copies nothing that is asked for later.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  // Older browsers, which allow it later too, have no items, or none of a promise.
  if (typeof text !== 'string' && (await copyItem(text).catch(() => false))) return true;
  const present = typeof text === 'string' ? text : await text;
  try {
    await navigator.clipboard.writeText(present);
    return true;
  } catch {
    // Pages that are not served securely, as in a local network, have no clipboard API.
    return copySelected(present);
  }
}

async function copyItem(text: Promise<string>): Promise<boolean> {
  // Of a promise of a string fewer browsers know.
  const blob = (present: string) => new Blob([present], { type: 'text/plain' });
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text.then(blob) })]);
  return true;
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
