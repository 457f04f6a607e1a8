import { askToSignIn } from './sign-in-again.ts';

/** What may say that nobody is signed in without anybody being asked to: signing in itself, and asking who one is. */
const quiet = /^\/admin\/v1\/(auth\/|me$)/;

/**
 * Fetches; where the answer is that the session has ended, or that its sign-in is too old for this, somebody is asked to
 * sign in over what they are doing, and then the same request is sent once more. What they had typed is untouched.
 */
export async function fetchSignedIn(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  if (quiet.test(new URL(request.url).pathname)) return fetch(request);
  const again = request.clone();
  const answer = await fetch(request);
  const why = await whySignIn(answer);
  if (why === null || !(await askToSignIn(why))) return answer;
  return fetch(again);
}

async function whySignIn(answer: Response): Promise<'ended' | 'stale' | null> {
  if (answer.status === 401) return 'ended';
  if (answer.status !== 403) return null;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'SignInAgain'
    ? 'stale'
    : null;
}
