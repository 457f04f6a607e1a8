import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listCreatorTagsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { tagCreators } from '../../../client/sdk.gen.ts';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { toast, type Undo } from '../../../ui/toast.ts';
import { usePublisher } from '../../session/session.ts';
import type { ShownOutcome } from './shown-outcome.ts';
import { useRefresh } from './use-creators.ts';

export const maxTagLength = 40;

/** Loads the publisher's tags, by name. */
export function useTags() {
  const { publisherId } = usePublisher();
  return useQuery(listCreatorTagsOptions({ path: { publisherId } }));
}

export const tagError = (typed: string): string | null =>
  typed.trim() === ''
    ? t('Tag is required.')
    : /[,;|]/.test(typed)
      ? t('A tag can’t contain commas, semicolons, or |.')
      : null;

interface Tagging {
  members: readonly { memberId: string; groupId: string }[];
  tag: string;
  isTagged: boolean;
}

/**
 * Returns a function that adds a tag to creators or removes it, and shows a message with an Undo button.
 * @returns the outcome for each creator
 */
export function useTagging(): (tagging: Tagging, name: string | null) => Promise<ShownOutcome[]> {
  const { publisherId } = usePublisher();
  const reload = useRefresh();
  const client = useQueryClient();
  const send = async ({ members, tag, isTagged }: Tagging): Promise<ShownOutcome[]> => {
    const { data } = await tagCreators({
      path: { publisherId },
      body: {
        members: members.map((each) => ({ memberId: each.memberId, groupId: each.groupId })),
        tag,
        isTagged,
      },
      throwOnError: true,
    });
    return data.outcomes;
  };
  return async (tagging, name) => {
    const tag = tagging.tag.trim();
    const outcomes = await send(tagging);
    await Promise.all([reload(), refresh(client, 'listCreatorTags')]);
    const done = membersOf(outcomes);
    const undo: Undo = async () => {
      const undone = membersOf(await send({ members: done, tag, isTagged: !tagging.isTagged }));
      return undoneWords(undone.length, done.length);
    };
    if (done.length > 0) toast(wordsOf({ tag, isTagged: tagging.isTagged, name, count: done.length }), undo);
    return outcomes;
  };
}

/** Returns the creators who were changed. */
export const membersOf = (outcomes: readonly ShownOutcome[]): { memberId: string; groupId: string }[] =>
  outcomes.flatMap(({ outcome, memberId, groupId }) =>
    outcome === 'done' && memberId !== null ? [{ memberId, groupId }] : [],
  );

/** Returns the result of an Undo for many creators. */
export const undoneWords = (undone: number, count: number): string =>
  undone === count
    ? t('Undone for {count, plural, one {# creator} other {# creators}}', { count })
    : t(
        'Undone for {undone} of {count, plural, one {# creator} other {# creators}}. The rest were changed again since',
        { undone, count },
      );

const wordsOf = ({
  tag,
  isTagged,
  name,
  count,
}: {
  tag: string;
  isTagged: boolean;
  name: string | null;
  count: number;
}): string =>
  name !== null
    ? isTagged
      ? t('{name} now has the tag {tag}', { name, tag })
      : t('{name} no longer has the tag {tag}', { name, tag })
    : isTagged
      ? t('{count, plural, one {# creator now has} other {# creators now have}} the tag {tag}', {
          count,
          tag,
        })
      : t('{count, plural, one {# creator no longer has} other {# creators no longer have}} the tag {tag}', {
          count,
          tag,
        });
