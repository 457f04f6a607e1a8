import { ApiFailure } from '../../ui/api-failure.ts';

/**
 * Asks what signs people in, below `/admin/v1/auth`.
 * @throws ApiFailure with what it says
 */
export async function askAuth<Answer>(path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`/admin/v1/auth${path}`, {
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

export const signOut = (): Promise<unknown> => askAuth('/sign-out', {});
