import { Anchor, Box, Button, Group, Paper, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useMe, usePublisher } from '../session/session.ts';
import { AdvanceForm } from './advance-form.tsx';
import { ClockWords } from './clock-words.tsx';
import { Rehearsal } from './rehearsal.tsx';

export function SandboxBanner() {
  const { sandboxOf, may, rehearses } = usePublisher();
  const { publishers } = useMe();
  const [isOpen, setOpen] = useState(false);
  const screen = useLocation({ select: ({ pathname }) => pathname.split('/')[3] ?? 'overview' });
  const live = publishers.find(({ publisherId }) => publisherId === sandboxOf);
  if (live === undefined) return null;
  return (
    <Paper
      component="section"
      aria-label={t('Sandbox')}
      withBorder
      px="sm"
      py="xs"
      mb="md"
      bg="var(--mantine-color-violet-light)"
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs" wrap="nowrap">
          <Box flex="none" display="flex">
            <Icon name="sandbox" />
          </Box>
          <Text size="sm" component="p" m={0}>
            <Text span inherit fw={600}>
              {t('Sandbox of {name}.', { name: live.name })}
            </Text>{' '}
            <ClockWords />
          </Text>
        </Group>
        <Group gap="sm">
          {may('program') && (
            <Button size="xs" variant="default" onClick={() => setOpen(true)}>
              {t('Advance clock…')}
            </Button>
          )}
          <Anchor
            size="sm"
            c="inherit"
            td="underline"
            renderRoot={(props) => (
              <Link
                {...props}
                to={`/p/$publisherId/${screen}`}
                params={{ publisherId: live.publisherId } as never}
              />
            )}
          >
            {t('Back to {name}', { name: live.name })}
          </Anchor>
        </Group>
      </Group>
      {rehearses && <Rehearsal onAdvance={() => setOpen(true)} />}
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('Advance the clock')}>
        {isOpen && <AdvanceForm onDone={() => setOpen(false)} />}
      </Dialog>
    </Paper>
  );
}
