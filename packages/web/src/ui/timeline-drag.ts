import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Preferences } from './preferences.ts';
import { addDays, dayMs, type Span } from './timeline-grid.ts';

/** Part of a window that is being dragged: its start, its end, or both. */
type Held = 'from' | 'until' | 'both';

interface Drag extends Span {
  key: string;
  held: Held;
  startX: number;
  msPerPixel: number;
  days: number;
}

export interface Moved extends Span {
  key: string;
}

interface DragOptions {
  zone: Preferences['zone'];
  /** Called at the end of a drag; undefined if windows can't be moved. */
  onMove: ((moved: Moved) => void) | undefined;
}

/**
 * Makes windows draggable with a mouse or pen, by whole days so that the time of day doesn't change. Touch scrolls instead.
 * Nothing is saved here. The end of a drag calls `onMove`, and Escape cancels the drag.
 */
export function useDrag({ zone, onMove }: DragOptions) {
  const [drag, setDrag] = useState<Drag | null>(null);
  /** True after a drag, to ignore the click that the browser then sends. */
  const wasDragged = useRef(false);
  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return;
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setDrag(null);
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [isDragging]);

  const handlersOf = ({ key, from, until }: Moved, msPerPixel: () => number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      wasDragged.current = false;
      if (event.button !== 0 || event.pointerType === 'touch') return;
      const held = heldOf(event.currentTarget.getBoundingClientRect(), event.clientX);
      event.currentTarget.setPointerCapture(event.pointerId);
      const startX = event.clientX;
      setDrag({ key, from, until, held, startX, msPerPixel: msPerPixel(), days: 0 });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      if (drag === null) return;
      const days = Math.round(((event.clientX - drag.startX) * drag.msPerPixel) / dayMs);
      if (days !== 0) wasDragged.current = true;
      if (days !== drag.days) setDrag({ ...drag, days });
    },
    onPointerUp: (): void => {
      setDrag(null);
      if (drag !== null && drag.days !== 0) onMove?.(movedOf(drag, zone));
    },
    onPointerCancel: (): void => setDrag(null),
  });
  return {
    moved: drag === null || drag.days === 0 ? null : movedOf(drag, zone),
    handlersOf: onMove === undefined ? null : handlersOf,
    wasDragged: (): boolean => wasDragged.current,
  };
}

const edgePixels = 7;

/**
 * Returns the part being dragged: the edge that was pressed, or else the whole window. A narrow window always
 * moves whole.
 */
function heldOf({ left, right, width }: DOMRect, x: number): Held {
  if (width < 4 * edgePixels) return 'both';
  return x - left < edgePixels ? 'from' : right - x < edgePixels ? 'until' : 'both';
}

/** Returns the window after the drag, at least one day long. Other windows don't move. */
function movedOf({ key, from, until, held, days }: Drag, zone: Preferences['zone']): Moved {
  switch (held) {
    case 'both':
      return { key, from: addDays(from, days, zone), until: addDays(until, days, zone) };
    case 'from':
      return {
        key,
        from: Math.min(addDays(from, days, zone), Math.max(from, addDays(until, -1, zone))),
        until,
      };
    case 'until':
      return {
        key,
        from,
        until: Math.max(addDays(until, days, zone), Math.min(until, addDays(from, 1, zone))),
      };
  }
}
