import type { RefObject } from 'react';
import { useKeys } from './keys.ts';

interface RowKeys {
  keys: readonly string[];
  openKey: string | null;
  body: RefObject<HTMLElement | null>;
  onOpen: ((key: string | null) => void) | undefined;
}

/**
 * Registers J and K, which focus the next and previous row. If a row is open, J and K open the next or
 * previous row instead.
 */
export function useRowKeys({ keys, openKey, body, onOpen }: RowKeys): void {
  const openers = (): HTMLElement[] => [
    ...(body.current?.querySelectorAll<HTMLElement>('[data-row-opener]') ?? []),
  ];
  const step = (by: 1 | -1): void => {
    if (onOpen === undefined || keys.length === 0) return;
    if (openKey !== null) {
      const at = keys.indexOf(openKey);
      const next = keys[Math.min(Math.max(at + by, 0), keys.length - 1)];
      if (next !== undefined && next !== openKey) onOpen(next);
      return;
    }
    const all = openers();
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[
      at === -1 ? (by === 1 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)
    ]?.focus();
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
}
