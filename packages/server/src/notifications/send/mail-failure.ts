/** Longest part of a mail server's answer that is read, because searching it for addresses takes time. */
const maxRead = 2_000;

/** Returns why a mail wasn't accepted, without the addresses that mail servers repeat in their answers. */
export function mailFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason
    .slice(0, maxRead)
    .replace(/[^\s<>"'(),;:=]{1,255}@[^\s<>"'(),;:]+/g, '…')
    .replaceAll('\0', '')
    .toWellFormed();
}
