import { Box, Paper, Stack } from '@mantine/core';
import { Bar, barWidth, Late } from '../../../ui/late.tsx';
import classes from './section-list.module.css';

/** Numbers of fields of the first sections. */
const sections = [1, 3, 3, 2];

/** Loading placeholder for the sections and, in a wide window, for the list of them. */
export const SectionsSkeleton = () => (
  <Late minHeight="60rem">
    <Box className={classes.columns}>
      <Stack gap="lg">
        {sections.map((fields, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <Paper key={at} withBorder p="md">
            <Stack gap="md">
              <Stack gap={4}>
                <Bar width={barWidth(at, 6, 10)} height="1rem" />
                <Bar width={barWidth(at + 2, 18, 28)} />
              </Stack>
              {Array.from({ length: fields }, (_, field) => field).map((field) => (
                <Stack key={field} gap={4}>
                  <Bar width={barWidth(field + at, 4, 8)} />
                  <Bar width="26rem" height="2.25rem" />
                </Stack>
              ))}
            </Stack>
          </Paper>
        ))}
      </Stack>
      <Stack gap="lg" className={classes.list} pt="xs">
        {Array.from({ length: 8 }, (_, line) => line).map((line) => (
          <Bar key={line} width={barWidth(line, 5, 9)} />
        ))}
      </Stack>
    </Box>
  </Late>
);
