import { useEffect, useRef } from 'react';
import { preferences } from './preferences.ts';

/** Keys and what they do; `g t` is a G followed by a T. */
export type Keys = Readonly<Record<string, () => void>>;

const layers: { current: Keys }[] = [];
const sequenceMs = 1_200;
let before: { key: string; atMs: number } | null = null;

/** Keys that hold while the part is on the page. Of two with the same key the one that came last is asked. */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

/** Listens for the whole page; called once. @returns what ends it */
export function listenForKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (!preferences().singleKeys || isAsking()) return;
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const nowMs = event.timeStamp;
    const both = before !== null && nowMs - before.atMs < sequenceMs ? `${before.key} ${pressed}` : null;
    before = pressed.length === 1 ? { key: pressed, atMs: nowMs } : null;
    const action = (both === null ? undefined : actionOf(both)) ?? actionOf(pressed);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

const actionOf = (key: string): (() => void) | undefined =>
  layers.findLast(({ current }) => key in current)?.current[key];

/** Letters that belong to what is being typed. */
function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))
  );
}

/** A dialog that waits for an answer takes no keys but its own; a drawer leaves them to the list behind it. */
const isAsking = (): boolean =>
  [...document.querySelectorAll('[role=dialog][aria-modal=true]')].some(
    (dialog) => dialog.closest('[data-drawer]') === null && dialog.querySelector('[data-drawer]') === null,
  );
