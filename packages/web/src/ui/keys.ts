import { useEffect, useRef } from 'react';
import { preferences } from './preferences.ts';

/** Shortcuts and their actions; `g t` is a G followed by a T. */
export type Keys = Readonly<Record<string, () => void>>;

const layers: { current: Keys }[] = [];
const sequenceMs = 1_200;
let previous: { key: string; atMs: number } | null = null;

/**
 * Registers shortcuts while the component is mounted. The shortcut that was registered last for a key wins.
 */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

/** Starts listening to keys for the whole page. Called once. @returns a function that stops listening */
export function listenForKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (!preferences().singleKeys || isDialogOpen()) return;
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const nowMs = event.timeStamp;
    const both =
      previous !== null && nowMs - previous.atMs < sequenceMs ? `${previous.key} ${pressed}` : null;
    previous = pressed.length === 1 ? { key: pressed, atMs: nowMs } : null;
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

/** Returns whether the key belongs to text being typed. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))
  );
}

/** Returns whether an open dialog blocks shortcuts. A drawer doesn't, so the list behind it keeps its shortcuts. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll('[role=dialog][aria-modal=true]')].some(
    (dialog) => dialog.closest('[data-drawer]') === null && dialog.querySelector('[data-drawer]') === null,
  );
