/** Nobody types for longer into a field that does not come. */
const longestMs = 2_000;

/** Takes what is typed before the field has the focus, which quick fingers do. @returns what ends it */
export function catchTyping(take: (key: string) => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    take(event.key);
  };
  const end = (): void => {
    window.removeEventListener('keydown', onKey, true);
    document.removeEventListener('focusin', onFocus);
    clearTimeout(timer);
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLInputElement) end();
  };
  window.addEventListener('keydown', onKey, true);
  document.addEventListener('focusin', onFocus);
  const timer = setTimeout(end, longestMs);
  return end;
}
