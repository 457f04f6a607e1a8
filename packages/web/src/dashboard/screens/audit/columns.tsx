import { Text } from '@mantine/core';
import type { AuditEntry } from '../../../client/types.gen.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { actionInWords } from './action-words.ts';
import { actorKindName, actorName } from './actor-kinds.ts';
import classes from './columns.module.css';
import { ShortTarget } from './named-thing.tsx';

export const columns = (): readonly Column<AuditEntry>[] => [
  { id: 'at', header: t('Time'), tone: 'quiet', isUnderName: true, cell: ({ at }) => <When at={at} /> },
  {
    id: 'actor',
    header: t('Actor'),
    noWrap: true,
    // First, because the values in the middle of the line are cut off before the others.
    isUnderName: 'first',
    cell: ({ actor }) => (
      <>
        <Text size="sm" span>
          {actorName(actor)}
        </Text>{' '}
        {!['service', 'person'].includes(actor.kind) && (
          // A phone's line has no room for it. The drawer shows it.
          <Text size="sm" c="dimmed" span visibleFrom="sm">
            {actorKindName(actor.kind)}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'action',
    header: t('Action'),
    cell: ({ action }) => (
      <Text size="sm" fw={600} span className={classes.action} title={action}>
        {actionInWords(action)}
      </Text>
    ),
  },
  {
    id: 'target',
    header: t('Target'),
    tone: 'quiet',
    cell: (entry) => <ShortTarget entry={entry} />,
    isUnderName: true,
  },
  {
    id: 'reason',
    header: t('Reason'),
    tone: 'quiet',
    cell: ({ reason }) => reason,
    isBlank: ({ reason }) => reason === null,
    hiddenBelow: 'lg',
  },
];
