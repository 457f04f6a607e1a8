/** How long a field may take to come before keys are the page's again. */
const patienceMs = 10_000;

let text = '';
let endCatching: (() => void) | null = null;
const listeners = new Set<() => void>();

/** Text of the search. Keys that are caught and the field itself change this one value, so neither overwrites the other. */
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
 * Takes keys into the search's text from the moment it is asked for until it closes. Each key is looked at by itself: the
 * field gets it when the field has the focus and shows all of the text, and else the text gets it here. So there is no
 * moment between the two at which a key belongs to neither.
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
    // Another dialog that came on top has a field of its own.
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
  }, patienceMs);
  endCatching = () => {
    clearTimeout(timer);
    window.removeEventListener('keydown', onKey, true);
  };
}

/** @returns the text with a key typed at its end; null for a key that is not of the text */
function textAfter(key: string): string | null {
  if (key === 'Enter') return text; // what had the focus before must not be pressed
  if (key === 'Backspace') return text.slice(0, -1);
  return key.length === 1 ? text + key : null;
}

/** Ends it, and empties the text for the next time. */
export function stopCatching(): void {
  endCatching?.();
  endCatching = null;
  setSearchText('');
}
