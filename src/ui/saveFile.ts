/** Lets the browser save a text as a file. */
export function saveFile(text: string, name: string, type: string): void {
  saveBlob(new Blob([text], { type: `${type};charset=utf-8` }), name);
}

/** Lets the browser save a blob as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser holds the download once the click is handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
