/** Lets the browser save a text as a file. */
export function saveFile(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser holds the download once the click is handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
