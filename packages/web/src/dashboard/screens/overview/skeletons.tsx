import { Box, Group, Paper, Stack } from '@mantine/core';
import { Bar, barWidth, Late } from '../../../ui/late.tsx';
import classes from './overview.module.css';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Loading placeholder for the whole screen: figures with their chart, and the cards around them. */
export const OverviewSkeleton = () => (
  <Late>
    <Box className={classes.columns}>
      <Paper withBorder p="md" className={classes.attention}>
        <Heading />
        {upTo(3).map((line) => (
          <div key={line} className={classes.line}>
            <Bar width="1rem" height="1rem" />
            <Bar width={barWidth(line, 12, 18)} />
          </div>
        ))}
      </Paper>
      <Stack className={classes.sums}>
        <Paper withBorder p="md" className={classes.card}>
          <Box className={classes.figures}>
            {upTo(4).map((at) => (
              <Stack key={at} gap={8} pb={6}>
                <Bar width="4rem" />
                <Bar width={barWidth(at, 6, 8)} height="1.5rem" />
                <Bar width="7rem" />
              </Stack>
            ))}
          </Box>
          <div className={classes.trend}>
            <Chart />
          </div>
        </Paper>
        <Paper withBorder p="md">
          <Heading />
          <Lines count={3} />
        </Paper>
      </Stack>
      <Stack className={classes.creators}>
        {upTo(2).map((at) => (
          <Paper key={at} withBorder p="md">
            <Heading />
            <Lines count={5} />
          </Paper>
        ))}
      </Stack>
    </Box>
  </Late>
);

const Heading = () => (
  <Box mb="xs">
    <Bar width="7rem" height="1rem" />
  </Box>
);

/** Name at the start and amount at the end of each line. */
const Lines = ({ count }: { count: number }) =>
  upTo(count).map((line) => (
    <Group key={line} className={classes.line} justify="space-between" wrap="nowrap">
      <Bar width={barWidth(line, 6, 10)} />
      <Bar width={barWidth(line + 5, 4, 6)} />
    </Group>
  ));

/** Lines of the chart's scale, and the days below them. */
const Chart = () => (
  <div className={classes.chart}>
    {upTo(5).map((line) => (
      <Bar key={line} width="100%" height="1px" />
    ))}
    <Group justify="space-between">
      {upTo(5).map((day) => (
        <Bar key={day} width="2.5rem" />
      ))}
    </Group>
  </div>
);

/** Placeholder for the chart. The screen announces that it is loading. */
export const ChartSkeleton = () => (
  <Late isSilent>
    <Chart />
  </Late>
);

/** Placeholder for the lines of a card. */
export const LinesSkeleton = ({ count }: { count: number }) => (
  <Late isSilent minHeight={`${count * 2.25}rem`}>
    <Lines count={count} />
  </Late>
);
