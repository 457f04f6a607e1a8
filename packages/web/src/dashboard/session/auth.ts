import { ApiFailure } from '../../ui/api-failure.ts';

/**
 * Calls a sign-in route under `/admin/v1`. A 401 is thrown like any other error and doesn't open the sign-in
 * dialog.
 * @throws ApiFailure with the service's error
 */
export async function callAuth<Answer>(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`/admin/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const result: unknown = await response?.json().catch(() => null);
  if (response === undefined || !response.ok) throw new ApiFailure(response, result);
  return result as Answer;
}

export const signOut = (): Promise<unknown> => callAuth('/auth/sign-out', {});
