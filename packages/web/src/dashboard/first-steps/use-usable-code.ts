import { useQuery } from '@tanstack/react-query';
import { listCreatorsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { usePublisher } from '../session/session.ts';

interface UsableCode {
  /** Null while loading, or if no approved creator has a code. */
  code: { code: string; groupId: string } | null;
  isKnown: boolean;
}

/**
 * Returns the code of an approved creator in the given group, or in any group if no group is given. The
 * screens put this code into their commands, so the commands work as pasted.
 */
export function useUsableCode(group: string | undefined): UsableCode {
  const { publisherId } = usePublisher();
  const { data, error } = useQuery(
    listCreatorsOptions({ path: { publisherId }, query: { status: 'Approved', group, limit: 50 } }),
  );
  const creator = data?.rows.find(({ codes }) => codes.length > 0);
  const [code] = creator?.codes ?? [];
  return {
    code: creator === undefined || code === undefined ? null : { code, groupId: creator.groupId },
    isKnown: data !== undefined || error !== null,
  };
}
