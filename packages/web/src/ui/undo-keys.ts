const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Shortcut for Undo on this system. */
export const undoKeys = {
  shown: isMac ? '⌘Z' : 'Ctrl+Z',
  aria: isMac ? 'Meta+Z' : 'Control+Z',
  match: ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
    key.toLowerCase() === 'z' && (isMac ? metaKey : ctrlKey) && !shiftKey && !altKey,
};
