import { signOut } from './auth.ts';

/** Signs out, and loads the sign-in page so that no data stays in memory. */
export async function leave(): Promise<void> {
  await signOut().catch(() => undefined);
  window.location.assign('/sign-in');
}
