/** Options of a request whose response is a file. */
export const asBlob = { parseAs: 'blob', throwOnError: true } as const;

/** Time after which the browser has certainly begun to save a file. Some read its URL only after the click. */
const savedAfterMs = 60_000;

/** Saves a file that was read, as a link with `download` would. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), savedAfterMs);
}
