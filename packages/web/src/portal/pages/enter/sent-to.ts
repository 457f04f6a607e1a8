import { nowMs } from '../../../ui/clock.ts';

const name = 'attribution-creators-code';
const lifetimeMs = 15 * 60_000;

/** Address that a code was sent to. A phone may discard the tab while its owner reads the email in another app. */
export const sentTo = {
  read(): string | null {
    try {
      const { email, atMs } = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Record<string, unknown>;
      const isValid = typeof email === 'string' && typeof atMs === 'number' && nowMs() - atMs < lifetimeMs;
      return isValid ? email : null;
    } catch {
      return null;
    }
  },
  keep(email: string): void {
    try {
      sessionStorage.setItem(name, JSON.stringify({ email, atMs: nowMs() }));
    } catch {
      // Without storage, the page must stay open.
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(name);
    } catch {
      // Without storage, nothing was kept.
    }
  },
};
