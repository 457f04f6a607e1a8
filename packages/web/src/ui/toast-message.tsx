import { Button, Group, Kbd, VisuallyHidden } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ErrorText } from './error-notice.tsx';
import { t } from './text.ts';
import { undoKeys } from './undo-keys.ts';

/** Screen readers announce text that is added to a status, but not a status that already contains its text. */
const announceMs = 100;

/** Time during which Undo is offered. Starts over when the pointer or the focus leaves the message. */
const undoableMs = 8_000;

interface ToastMessageProps {
  message: string;
  /** Error to show under the message. */
  error?: unknown;
  onUndo?: (() => void) | undefined;
  /** Called when Undo is no longer offered. */
  onExpire?: (() => void) | undefined;
}

/** Message with an Undo button. Tab can't reach the button from inside a drawer, so the message names the shortcut. */
export function ToastMessage({ message, error, onUndo, onExpire }: ToastMessageProps) {
  const [isAnnounced, setAnnounced] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(true), announceMs);
    return () => clearTimeout(timer);
  }, []);
  useExpiry(content, onExpire);
  return (
    <Group ref={content} justify="space-between" wrap="nowrap" gap="sm" mih={onUndo && 28}>
      <div>
        {isAnnounced && message}
        {isAnnounced && error !== undefined && <ErrorText error={error} />}
      </div>
      {onUndo !== undefined && isAnnounced && (
        <Button
          variant="light"
          size="compact-sm"
          mih={28}
          flex="none"
          aria-keyshortcuts={undoKeys.aria}
          rightSection={
            <Kbd size="xs" visibleFrom="sm" aria-hidden>
              {undoKeys.shown}
            </Kbd>
          }
          onClick={onUndo}
        >
          {t('Undo')}
        </Button>
      )}
      {onUndo !== undefined && isAnnounced && (
        <VisuallyHidden>{t('Press {keys} to undo.', { keys: undoKeys.shown })}</VisuallyHidden>
      )}
    </Group>
  );
}

/** Counts down the time for an Undo. Mantine's own timer doesn't stop while the message has the focus. */
function useExpiry(content: RefObject<HTMLElement | null>, onExpire: (() => void) | undefined): void {
  const latest = useRef(onExpire);
  latest.current = onExpire;
  useEffect(() => {
    const toast = content.current?.closest('[role=status]');
    if (!toast || latest.current === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const stop = (): void => clearTimeout(timer);
    const start = (): void => {
      stop();
      if (toast.matches(':hover, :focus-within')) return;
      timer = setTimeout(() => latest.current?.(), undoableMs);
    };
    const leave = (): void => void setTimeout(start); // once another element has the focus
    start();
    toast.addEventListener('pointerenter', stop);
    toast.addEventListener('focusin', stop);
    toast.addEventListener('pointerleave', leave);
    toast.addEventListener('focusout', leave);
    return () => {
      stop();
      toast.removeEventListener('pointerenter', stop);
      toast.removeEventListener('focusin', stop);
      toast.removeEventListener('pointerleave', leave);
      toast.removeEventListener('focusout', leave);
    };
  }, [content]);
}
