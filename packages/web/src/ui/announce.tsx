import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';

let said = '';
const listeners = new Set<() => void>();

/** Tells people who do not see the page what happened on it, when they have heard what they listen to. */
export function announce(message: string): void {
  // Said twice, the same words would be heard once.
  said = message === said ? `${message} ` : message;
  for (const listener of listeners) listener();
}

/** The one place that announcements are heard from. */
export function Announcements() {
  const message = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => said,
  );
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {message}
    </VisuallyHidden>
  );
}
