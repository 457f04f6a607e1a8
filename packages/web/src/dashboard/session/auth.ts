import { ApiFailure } from '../../ui/api-failure.ts';

/**
 * Asks what has to do with signing in, below `/admin/v1`. An answer that nobody is signed in is thrown as any other: no
 * dialog opens for it.
 * @throws ApiFailure with what the service says
 */
export async function askAuth<Answer>(path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`/admin/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const said: unknown = await answer?.json().catch(() => null);
  if (answer === undefined || !answer.ok) throw new ApiFailure(answer, said);
  return said as Answer;
}

export const signOut = (): Promise<unknown> => askAuth('/auth/sign-out', {});
