import { useEffect, useRef } from 'react';

const layers: object[] = [];
const handled = new WeakSet<Event>();

/** Handles Esc for the topmost layer only. Mantine would close all layers at once. */
export function useEscape(opened: boolean, onEscape: () => void): void {
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useEffect(() => {
    if (!opened) return;
    const layer = {};
    layers.push(layer);
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      const isElsewhere = target instanceof Element && (target.matches(openMenu) || target.closest(openHint));
      if (event.key !== 'Escape' || event.isComposing || isElsewhere) return;
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

/** Selector for elements with an open menu or list. Such elements handle Esc themselves. */
const openMenu = '[data-mantine-stop-propagation=true]';
/** Selector for the text of an open hint, which has the focus and closes itself. */
const openHint = '.mantine-Popover-dropdown > [data-autofocus]';
