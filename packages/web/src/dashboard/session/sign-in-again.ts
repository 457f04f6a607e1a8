import { useSyncExternalStore } from 'react';

export type Why = 'ended' | 'stale';

export interface Asked {
  why: Why;
  settle(isSignedIn: boolean): void;
}

let asked: Asked | null = null;
let answer: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

/** Opens a single sign-in dialog for all concurrent callers. @returns whether the person signed in */
export function askToSignIn(why: Why): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => {
    change({
      why,
      settle(isSignedIn) {
        answer = null;
        change(null);
        resolve(isSignedIn);
      },
    });
  });
  return answer;
}

function change(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

/** Returns the request for which the dialog is open; null while it is closed. */
export const useAskedToSignIn = (): Asked | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
