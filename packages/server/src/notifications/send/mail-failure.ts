/** Maximum length of a mail server's response that is read, because searching it for addresses takes time. */
const maxRead = 2_000;

/** Returns why an email wasn't accepted, without the addresses that mail servers repeat in their responses. */
export function mailFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason
    .slice(0, maxRead)
    .replace(/[^\s<>"'(),;:=]{1,255}@[^\s<>"'(),;:]+/g, '…')
    .replaceAll('\0', '')
    .toWellFormed();
}
