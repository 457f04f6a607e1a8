import { askToSignIn } from './sign-in-again.ts';

/** Paths whose 401 doesn't open the sign-in dialog: the sign-in routes and the route that reads the session. */
const withoutDialog = /^\/admin\/v1\/(auth\/|me$)/;

/**
 * Sends a request. If the session has ended or is too old for the action, opens the sign-in dialog over the page and then
 * resends the request. Unsaved input isn't lost.
 */
export async function fetchSignedIn(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  if (withoutDialog.test(new URL(request.url).pathname)) return fetch(request);
  const copy = request.clone();
  const response = await fetch(request);
  const reason = await signInReason(response);
  if (reason === null || !(await askToSignIn(reason))) return response;
  return fetch(copy);
}

async function signInReason(response: Response): Promise<'ended' | 'stale' | null> {
  if (response.status === 401) return 'ended';
  if (response.status !== 403) return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'SignInAgain'
    ? 'stale'
    : null;
}
