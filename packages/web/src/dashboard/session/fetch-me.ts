import { ApiFailure } from '../../ui/api-failure.ts';

/** One publisher that somebody works for. */
export interface StaffOf {
  publisherId: string;
  name: string;
  role: string;
  permissions: readonly string[];
}

/** Who is signed in. */
export interface Me {
  name: string;
  email: string | null;
  /** Two things were shown in this sign-in. */
  hasSecondFactor: boolean;
  publishers: readonly StaffOf[];
}

/** @throws ApiFailure 401 where nobody is signed in */
export async function fetchMe(): Promise<Me> {
  const answer = await fetch('/admin/v1/me', { headers: { accept: 'application/json' } });
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw new ApiFailure(answer, body);
  return body as Me;
}
