import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { checkWantedCodeOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { CheckedWantedCode } from '../../../client/portal/types.gen.ts';

/** Pause in typing after which a code is checked. */
const typingMs = 300;
const codePattern = /^[A-Za-z0-9_-]{2,32}$/;
const partPattern = /^[A-Za-z0-9_-]{0,32}$/;

/**
 * State of a code that is being typed. `short`: more letters are needed. `unknown`: the check failed, so only sending the
 * application will tell.
 */
export type CodeState = CheckedWantedCode['state'] | 'short' | 'checking' | 'unknown';

/** Checks a code while it is being typed. @param code text without surrounding spaces */
export function useCodeCheck({
  publisherId,
  groupId,
  code,
}: {
  publisherId: string;
  groupId: string;
  code: string;
}): CodeState {
  const [settled] = useDebouncedValue(code, typingMs);
  const { data, error } = useQuery({
    ...checkWantedCodeOptions({ path: { publisherId, groupId, wantedCode: settled } }),
    enabled: codePattern.test(settled),
    retry: false,
  });
  if (!partPattern.test(code)) return 'invalid';
  if (!codePattern.test(code)) return 'short';
  if (settled !== code) return 'checking';
  if (data !== undefined) return data.state;
  return error === null ? 'checking' : 'unknown';
}
