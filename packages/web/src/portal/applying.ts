import { nowMs } from '../ui/clock.ts';

const name = 'attribution-creators-applying';
const lifetimeMs = 60 * 60_000;

/**
 * Page of the group that a person wants to apply to, for an hour. The link in a sign-in email opens another tab, which doesn't
 * know it.
 */
export const applying = {
  read(): string | null {
    try {
      const { path, atMs } = JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, unknown>;
      const isValid =
        typeof path === 'string' &&
        path.startsWith('/apply/') &&
        typeof atMs === 'number' &&
        nowMs() - atMs < lifetimeMs;
      return isValid ? path : null;
    } catch {
      return null;
    }
  },
  keep(path: string): void {
    try {
      localStorage.setItem(name, JSON.stringify({ path, atMs: nowMs() }));
    } catch {
      // Without storage, the person opens the publisher's link again.
    }
  },
  forget(): void {
    try {
      localStorage.removeItem(name);
    } catch {
      // Without storage, nothing was kept.
    }
  },
};
