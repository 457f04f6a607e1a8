import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';

let announced = '';
const listeners = new Set<() => void>();

/** Announces a message politely to screen readers. */
export function announce(message: string): void {
  // A screen reader ignores repeated text.
  announced = message === announced ? `${message} ` : message;
  for (const listener of listeners) listener();
}

export function Announcements() {
  const message = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => announced,
  );
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {message}
    </VisuallyHidden>
  );
}
