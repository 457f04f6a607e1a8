import { signOut } from './auth.ts';

/** Signs out, and leaves nothing of what was shown in the page's memory. */
export async function leave(): Promise<void> {
  await signOut().catch(() => undefined);
  window.location.assign('/sign-in');
}
