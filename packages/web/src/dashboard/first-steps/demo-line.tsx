import { Box } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { usePublisher } from '../session/session.ts';
import { LookAround } from './look-around.tsx';
import { useFirstSteps } from './use-first-steps.ts';

/** Screens on which demo data shows nothing more, or that offer it in their own way. */
const without: readonly (string | undefined)[] = ['sandbox', 'team', 'settings'];

/** Offers demo data below an empty list, until the publisher's first purchase. */
export function DemoLine() {
  const { sandboxOf } = usePublisher();
  const screen = useLocation({ select: ({ pathname }) => pathname.split('/')[3] });
  const { data } = useFirstSteps();
  if (sandboxOf !== null || data?.hasPurchases !== false || without.includes(screen)) return null;
  return (
    <Box maw={520} mt="sm" ta={{ base: 'center', sm: 'start' }}>
      <LookAround isCentered />
    </Box>
  );
}
