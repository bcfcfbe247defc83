/**
 * Types a digit and deletes it, four times a second, by the browser's editing commands: it times no events that a script
 * makes. How late each key was goes to `benchDelays`. Returns the function that ends it. The benchmark sends this to other
 * pages as text, so it uses nothing from outside itself.
 */
export function type(field: HTMLInputElement): () => void {
  const interval = 250;
  let due = performance.now() + interval;
  let timer: ReturnType<typeof setTimeout>;
  let digit = true;

  function key(): void {
    // A browser's timers and its coarsened clock may be a fraction of a millisecond early.
    window.benchDelays?.push(Math.max(0, performance.now() - due));
    if (document.activeElement !== field) field.focus({ preventScroll: true });
    // Deprecated, but the only editing command that all browsers support.
    document.execCommand(digit ? 'insertText' : 'delete', false, '7');
    digit = !digit;
    next();
  }

  function next(): void {
    due = Math.max(due + interval, performance.now());
    // It truncates its delay.
    timer = setTimeout(key, Math.ceil(due - performance.now()));
  }

  // Prevents the on-screen keyboard, which would cover the screen under test.
  field.inputMode = 'none';
  field.focus({ preventScroll: true });
  next();
  return () => clearTimeout(timer);
}
