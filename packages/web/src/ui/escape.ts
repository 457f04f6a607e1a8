import { useEffect, useRef } from 'react';

const layers: object[] = [];
const handled = new WeakSet<Event>();

/** Hears Esc for the layer that was opened last: Mantine would close all of them at once. */
export function useEscape(opened: boolean, onEscape: () => void): void {
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useEffect(() => {
    if (!opened) return;
    const layer = {};
    layers.push(layer);
    const onKey = (event: KeyboardEvent): void => {
      const isOfList = event.target instanceof Element && event.target.matches(ofAnOpenList);
      if (event.key !== 'Escape' || event.isComposing || isOfList) return;
      if (layers.at(-1) !== layer || handled.has(event)) return;
      handled.add(event);
      latest.current();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [opened]);
}

/** Attribute of what has a menu or list open, which takes Esc for itself. */
const ofAnOpenList = '[data-mantine-stop-propagation=true]';
