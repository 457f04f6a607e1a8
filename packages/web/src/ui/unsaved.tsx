import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DiscardQuestion } from './discard-question.tsx';
import { useEscape } from './escape.ts';

/** Unsaved changes in a form. */
interface Draft {
  isChanged(): boolean;
  /** Marks the changes as saved or discarded, so that closing doesn't ask about them. */
  settle(): void;
}

/** Starts watching a draft, and returns a function that stops it. */
type Watch = (draft: Draft) => () => void;
const LayerContext = createContext<Watch | null>(null);

/**
 * Makes the surrounding drawer or dialog ask before it discards the form's changes.
 * @param values values of the form, serializable as JSON
 * @param saved values to compare with; by default, the initial values
 * @returns a function to call when the changes are saved and the URL is about to change
 */
export function useUnsaved(values: unknown, saved?: unknown): () => void {
  const now = JSON.stringify(values);
  const [first] = useState(now);
  const state = useRef({ isChanged: false, isSettled: false });
  state.current.isChanged = now !== (saved === undefined ? first : JSON.stringify(saved));
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

/** Calls `useUnsaved` from inside a dialog whose content is passed as children. */
export function Unsaved({ values }: { values: unknown }) {
  useUnsaved(values);
  return null;
}

interface LayerOptions {
  opened: boolean;
  onClose(): void;
}

interface Layer {
  /** Closes the layer, after asking about unsaved changes. */
  close(): void;
  /** Wrapper for the content whose forms are watched. */
  around(children: ReactNode): ReactNode;
  /** Dialog that asks about unsaved changes. */
  question: ReactNode;
}

/**
 * Asks for confirmation before a drawer or dialog with unsaved changes closes. The layer may be closed with
 * Esc, a click outside, Back, a link, a reload, or a shortcut in the list behind the layer. Esc closes only
 * the topmost layer.
 */
export function useLayer({ opened, onClose }: LayerOptions): Layer {
  const [drafts] = useState(() => new Set<Draft>());
  const [isConfirming, setConfirming] = useState(false);
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
  const isQuestionOpen = opened && (isConfirming || blocker.status === 'blocked');
  const close = (): void => (isChanged() ? setConfirming(true) : onClose());
  useEscape(opened, close);
  const keep = (): void => {
    setConfirming(false);
    blocker.reset?.();
  };
  const discard = (): void => {
    for (const draft of drafts) draft.settle();
    setConfirming(false);
    if (blocker.status === 'blocked') blocker.proceed();
    else onClose();
  };
  return {
    close,
    around: (children) => <LayerContext value={watch}>{children}</LayerContext>,
    question: <DiscardQuestion opened={isQuestionOpen} onKeep={keep} onDiscard={discard} />,
  };
}
