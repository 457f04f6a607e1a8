/**
 * Returns the challenge that a browser says a response answers, so that its attempt is used up before the response is verified.
 * @returns '' for a response of another form
 */
export function challengeOf({ response }: { response?: { clientDataJSON?: unknown } }): string {
  try {
    const text = Buffer.from(String(response?.clientDataJSON), 'base64url').toString();
    const { challenge } = JSON.parse(text) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}
