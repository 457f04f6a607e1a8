/** Longest wait for the search field, in milliseconds. After that, the page handles keys again. */
const maxWaitMs = 10_000;

let text = '';
let endCatching: (() => void) | null = null;
const listeners = new Set<() => void>();

/** Search text. The field and the captured keys both change this value, so neither overwrites the other. */
export const searchText = (): string => text;

export function setSearchText(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

export function onSearchText(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const isEditable = (element: Element | null): boolean =>
  element instanceof HTMLElement && element.matches('input, textarea, select, [contenteditable]');

/**
 * Captures keys for the search text, from the key press that opens the search until the search closes. If the
 * field has focus and shows the whole text, it handles the key. Otherwise, the key is added to the text here,
 * so that no key is lost.
 */
export function catchTyping(): void {
  stopCatching();
  let hasHadFocus = false;
  const onKey = (event: KeyboardEvent): void => {
    const field = document.querySelector<HTMLInputElement>('input[data-search]');
    const here = document.activeElement;
    if (field !== null && field === here && field.value === text) {
      hasHadFocus = true;
      return;
    }
    // Another dialog on top has its own field.
    if (hasHadFocus && field !== here && isEditable(here)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const next = textAfter(event.key);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    setSearchText(next);
    field?.focus();
  };
  window.addEventListener('keydown', onKey, true);
  const timer = setTimeout(() => {
    if (document.querySelector('input[data-search]') === null) stopCatching();
  }, maxWaitMs);
  endCatching = () => {
    clearTimeout(timer);
    window.removeEventListener('keydown', onKey, true);
  };
}

/** @returns the text after a key is typed at its end; null for a key that isn't text */
function textAfter(key: string): string | null {
  if (key === 'Enter') return text; // Enter must not press the button that had focus
  if (key === 'Backspace') return text.slice(0, -1);
  return key.length === 1 ? text + key : null;
}

export function stopCatching(): void {
  endCatching?.();
  endCatching = null;
  setSearchText('');
}
