import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DiscardQuestion } from './discard-question.tsx';
import { useEscape } from './escape.ts';

/** Changes in a form that are not saved yet. */
interface Draft {
  isChanged(): boolean;
  /** Marks the changes as saved, or as given up: nothing asks about them any more. */
  settle(): void;
}

/** Asks about a draft, until what it returns is called. */
type Watch = (draft: Draft) => () => void;
const LayerContext = createContext<Watch | null>(null);

/**
 * Lets the drawer or dialog around a form ask before its changes are thrown away.
 * @param values what the form holds, as JSON can; it is compared with what it held at first
 * @returns a function for the moment when they are saved and the address is about to change
 */
export function useUnsaved(values: unknown): () => void {
  const now = JSON.stringify(values);
  const [first] = useState(now);
  const state = useRef({ isChanged: false, isSettled: false });
  state.current.isChanged = now !== first;
  const draft = useMemo<Draft>(
    () => ({
      isChanged: () => state.current.isChanged && !state.current.isSettled,
      settle: () => {
        state.current.isSettled = true;
      },
    }),
    [],
  );
  const watch = use(LayerContext);
  useEffect(() => watch?.(draft), [watch, draft]);
  return draft.settle;
}

/** Watches fields among the children of a dialog that others draw. */
export function Unsaved({ values }: { values: unknown }) {
  useUnsaved(values);
  return null;
}

interface LayerOptions {
  opened: boolean;
  onClose(): void;
}

interface Layer {
  /** Closes it, once the reader gave unsaved changes up. */
  close(): void;
  /** Content, whose forms are asked about. */
  around(children: ReactNode): ReactNode;
  /** Question that stands over it. */
  question: ReactNode;
}

/**
 * Guards a drawer or a dialog: Esc closes the topmost one alone, and whatever would throw changes away asks first: Esc, a
 * click outside, Back, a link, a key of the list behind, a reload.
 */
export function useLayer({ opened, onClose }: LayerOptions): Layer {
  const [drafts] = useState(() => new Set<Draft>());
  const [isAsking, setAsking] = useState(false);
  const isChanged = useCallback(() => [...drafts].some((draft) => draft.isChanged()), [drafts]);
  const watch = useCallback<Watch>(
    (draft) => {
      drafts.add(draft);
      return () => void drafts.delete(draft);
    },
    [drafts],
  );
  const blocker = useBlocker({
    shouldBlockFn: isChanged,
    enableBeforeUnload: isChanged,
    disabled: !opened,
    withResolver: true,
  });
  const isAsked = opened && (isAsking || blocker.status === 'blocked');
  const close = (): void => (isChanged() ? setAsking(true) : onClose());
  useEscape(opened, close);
  const keep = (): void => {
    setAsking(false);
    blocker.reset?.();
  };
  const discard = (): void => {
    for (const draft of drafts) draft.settle();
    setAsking(false);
    if (blocker.status === 'blocked') blocker.proceed();
    else onClose();
  };
  return {
    close,
    around: (children) => <LayerContext value={watch}>{children}</LayerContext>,
    question: <DiscardQuestion opened={isAsked} onKeep={keep} onDiscard={discard} />,
  };
}
