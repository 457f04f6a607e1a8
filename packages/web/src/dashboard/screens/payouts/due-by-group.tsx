import { Box, Button, Stack, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { previewPayoutOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { CreatorGroup, PayoutPreview } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { DueSums, DueSumsHead } from './due-totals.tsx';
import { PartsPage } from './parts-page.tsx';
import classes from './payouts.module.css';

/** Number of groups loaded at a time, each with its own preview. */
const groupsPerPage = 20;

/** Amounts due in each group, by currency. A payout belongs to one group, so each group links to its own view. */
export function DueByGroup({ groups }: { groups: readonly CreatorGroup[] }) {
  const { publisherId } = usePublisher();
  const [shown, setShown] = useState(groupsPerPage);
  const listed = groups.slice(0, shown);
  const previews = useQueries({
    queries: listed.map(({ groupId }) => ({
      ...previewPayoutOptions({ path: { publisherId }, query: { group: groupId, limit: 50 } }),
      staleTime: 30_000,
    })),
  });
  const failed = previews.find(({ error }) => error !== null);
  const isComplete = previews.every(({ data, error }) => data !== undefined || error !== null);
  return (
    <PartsPage
      here=""
      about={t('Amounts due in each group. Choose a group to see its creators and pay them.')}
    >
      <Stack gap="md" align="flex-start">
        {failed !== undefined && (
          <ErrorNotice
            error={failed.error}
            title={t('Some groups couldn’t be loaded')}
            onRetry={() => void Promise.all(previews.map((each) => each.error !== null && each.refetch()))}
          />
        )}
        {isComplete ? (
          <Box className={classes.scroller} w="100%">
            <Table withTableBorder aria-label={t('Due by group and currency')} className={classes.sums}>
              <DueSumsHead first={t('Group')} />
              {listed.map((group, at) => (
                <OfGroup key={group.groupId} group={group} preview={previews[at]?.data} />
              ))}
            </Table>
          </Box>
        ) : (
          <Box w="100%">
            <LateSkeleton lines={3 * listed.length} />
          </Box>
        )}
        {groups.length > shown && (
          <Button variant="default" onClick={() => setShown(shown + groupsPerPage)}>
            {t('Show more groups')}
          </Button>
        )}
      </Stack>
    </PartsPage>
  );
}

function OfGroup({ group, preview }: { group: CreatorGroup; preview: PayoutPreview | undefined }) {
  const columnCount = useNarrow() ? 2 : 5;
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th scope="rowgroup" colSpan={columnCount}>
          <ScreenLink screen="payouts" query={{ group: group.groupId }}>
            {group.name}
          </ScreenLink>
        </Table.Th>
      </Table.Tr>
      {preview === undefined || preview.totals.length === 0 ? (
        <Table.Tr>
          <Table.Td colSpan={columnCount}>
            <Text size="sm" c="dimmed">
              {preview === undefined ? t('Not available right now.') : t('No amounts due')}
            </Text>
          </Table.Td>
        </Table.Tr>
      ) : (
        preview.totals.map((totals) => <DueSums key={totals.currency} totals={totals} />)
      )}
    </Table.Tbody>
  );
}
