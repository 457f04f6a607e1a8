import { notifications } from '@mantine/notifications';
import { createElement, lazy } from 'react';
import { codeOf } from './api-failure.ts';
import { isTyping } from './keys.ts';
import { t } from './text.ts';
import { undoKeys } from './undo-keys.ts';

/** Loaded with the first message. */
const ToastMessage = lazy(() =>
  import('./toast-message.tsx').then((found) => ({ default: found.ToastMessage })),
);

/** Reverts a change, unless the same data has changed since. May return text for the result, such as a count. */
export type Undo = () => Promise<unknown>;

const shownMs = 4_000;
const failureMs = 8_000;

interface Offer {
  id: string;
  undo: Undo;
}

/** Open messages with an Undo, oldest first. */
let offers: readonly Offer[] = [];
let made = 0;
let reload: () => Promise<unknown> = async () => undefined;

/** Sets the function that reloads what the screen shows after an Undo. Called once. */
export function reloadAfterUndo(reloadAll: () => Promise<unknown>): void {
  reload = reloadAll;
  document.addEventListener('keydown', onKey);
}

/**
 * Shows what was done in a corner of the page for a few seconds, and announces it to screen readers: "Kira moved to
 * Gold", never "Saved".
 * @param undo reverts the change. Only for changes without side effects: no webhook event, mail or money
 * (docs/adr/0072-notes-tags-and-undo.md)
 */
export function toast(message: string, undo?: Undo | null): void {
  if (!undo) {
    show(message);
    return;
  }
  made += 1;
  const offer: Offer = { id: `undo-${made}`, undo };
  offers = [...offers, offer];
  show(message, {
    id: offer.id,
    autoClose: false, // the message has its own timer
    onUndo: () => void take(offer),
    onExpire: () => notifications.hide(offer.id),
    onClose: () => forget(offer),
  });
}

interface Shown {
  id?: string;
  autoClose?: number | false;
  color?: string;
  /** Error to show under the message. */
  error?: unknown;
  onUndo?(): void;
  onExpire?(): void;
  onClose?(): void;
}

function show(message: string, { onUndo, onExpire, error, autoClose = shownMs, ...shown }: Shown = {}): void {
  notifications.show({
    message: createElement(ToastMessage, { message, error, onUndo, onExpire }),
    role: 'status',
    autoClose,
    closeButtonProps: { 'aria-label': t('Close') },
    ...shown,
  });
}

const forget = (offer: Offer): void => {
  offers = offers.filter((each) => each !== offer);
};

/** Runs an Undo, once. */
async function take(offer: Offer): Promise<void> {
  if (!offers.includes(offer)) return;
  forget(offer);
  notifications.hide(offer.id);
  try {
    const words = await offer.undo();
    show(typeof words === 'string' ? words : t('Undone'));
  } catch (error) {
    const isChangedAgain = codeOf(error) === 'Stale' || codeOf(error) === 'NotFound';
    show(isChangedAgain ? t('Couldn’t undo because this was changed again since') : t('Couldn’t undo'), {
      color: 'red',
      autoClose: failureMs,
      ...(!isChangedAgain && { error }),
    });
  } finally {
    await reload();
  }
}

/** Runs the newest Undo on Ctrl+Z or ⌘Z. In a field, the shortcut undoes typing instead. */
function onKey(event: KeyboardEvent): void {
  const offer = offers.at(-1);
  if (offer === undefined || event.defaultPrevented || !undoKeys.match(event) || isTyping(event)) return;
  event.preventDefault();
  void take(offer);
}
