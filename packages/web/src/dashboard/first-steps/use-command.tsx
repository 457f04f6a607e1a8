import { type ReactNode, useCallback, useState } from 'react';
import { createKey } from '../../client/sdk.gen.ts';
import { recordCurl, transactionIdIn } from '../screens/transactions/curl.ts';
import { usePublisher } from '../session/session.ts';
import { type Command, CommandDialog } from './command-dialog.tsx';

interface CommandOptions {
  /** Code of an approved creator; null if there isn't one. */
  code: { code: string; groupId: string } | null;
  /** True for the publisher's first purchase. */
  isFirst: boolean;
  /** Notified when the dialog opens and closes. */
  onShown?: ((isShown: boolean) => void) | undefined;
}

interface CommandState {
  /** Creates a key with the given name, and shows the command for it. Does nothing without a code. */
  make(name: string): Promise<void>;
  isBusy: boolean;
  error: unknown;
  /** Element of the dialog. Render it exactly once, where it stays mounted although the purchase arrives. */
  dialog: ReactNode;
}

/** Shows, once, a command with a new key that records a purchase. For a live publisher, it records a Test purchase. */
export function useCommand({ code, isFirst, onShown }: CommandOptions): CommandState {
  const { publisherId, nowMs, sandboxOf } = usePublisher();
  const [command, setCommand] = useState<Command | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const show = (key: string): void => {
    if (code === null) return;
    const { origin } = window.location;
    const facts = { origin, key, nowMs: nowMs(), isTest: sandboxOf === null, ...code };
    setCommand({
      text: recordCurl(facts),
      key,
      transactionId: transactionIdIn(facts),
      isFirst,
    });
    onShown?.(true);
  };
  const close = useCallback((): void => {
    setCommand(null);
    onShown?.(false);
  }, [onShown]);
  return {
    async make(name) {
      setBusy(true);
      setError(null);
      try {
        const body = { name, kind: 'secret' } as const;
        const { data } = await createKey({ path: { publisherId }, body, throwOnError: true });
        show(data.key);
      } catch (thrown) {
        setError(thrown);
      }
      setBusy(false);
    },
    isBusy,
    error,
    dialog: <CommandDialog command={command} onClose={close} />,
  };
}
