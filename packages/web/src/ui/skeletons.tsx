import { Stack } from '@mantine/core';
import classes from './facts.module.css';
import { Bar, barWidth, Late } from './late.tsx';

/** Loading placeholder for content of any shape. */
export function LateSkeleton({ lines = 8, isSilent = false }: { lines?: number; isSilent?: boolean }) {
  return (
    <Late minHeight={lines * 36} isSilent={isSilent}>
      <Stack gap={0}>
        {Array.from({ length: lines }, (_, line) => line).map((line) => (
          <div key={line} style={{ height: 36, display: 'flex', alignItems: 'center' }}>
            <Bar width={line === 0 ? '40%' : `${95 - ((line * 37) % 5) * 8}%`} />
          </div>
        ))}
      </Stack>
    </Late>
  );
}

/** Loading placeholder for a row's details: a heading, and facts below it. */
export function FactsSkeleton({ facts = 7 }: { facts?: number }) {
  return (
    <Late minHeight={facts * 34 + 44}>
      <Stack gap="sm">
        <div>
          <Bar width="45%" height="1.25rem" />
        </div>
        <div className={classes.facts}>
          {Array.from({ length: facts }, (_, line) => line).map((line) => (
            <div key={line} className={classes.fact}>
              <span>
                <Bar width={barWidth(line, 3.5, 6)} />
              </span>
              <span>
                <Bar width={barWidth(line + 3, 5, 14)} />
              </span>
            </div>
          ))}
        </div>
      </Stack>
    </Late>
  );
}
