import type { Done } from '#domain/core/result';
import { showToast } from '../ui/toastStore';

/** Confirms a change in a toast, with the server's text where it has sent one; nothing where the user was told already. */
export function confirmDone({ text, reported }: Done<unknown>, otherwise: string): void {
  if (!reported) showToast(text || otherwise);
}
