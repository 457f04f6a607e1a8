/**
 * Returns the headers of an automatic email that can be turned off. Mail clients show a button, which sends a POST request to the
 * URL (RFC 8058).
 */
export const unsubscribeHeaders = (url: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  ...automaticHeaders,
});

/** Headers that keep mail programs from answering an email. */
export const automaticHeaders: Readonly<Record<string, string>> = { 'Auto-Submitted': 'auto-generated' };
