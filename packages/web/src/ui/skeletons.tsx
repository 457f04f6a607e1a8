import { Box, Group, Stack, Table } from '@mantine/core';
import tableClasses from './data-table.module.css';
import factClasses from './facts.module.css';
import { Bar, barWidth, Late } from './late.tsx';

// In one file, which loads with the first page, so that a placeholder appears while a screen's own code is loading.

/** Loading placeholder for content of any shape. */
export function LateSkeleton({ lines = 8 }: { lines?: number }) {
  return (
    <Late minHeight={lines * 36}>
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
        <div className={factClasses.facts}>
          {Array.from({ length: facts }, (_, line) => line).map((line) => (
            <div key={line} className={factClasses.fact}>
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

interface SkeletonColumn {
  id: string;
  header: string;
  align?: 'end';
  hiddenBelow?: 'xs' | 'sm' | 'md' | 'lg' | 'xl';
  hasMonogram?: boolean;
}

interface TableSkeletonProps {
  columns: readonly SkeletonColumn[];
  /** True if rows are grouped by day. */
  hasDay: boolean;
  /** True if rows can be selected. */
  hasBoxes: boolean;
  /** True if rows can be opened, or if columns can be hidden. */
  hasOpeners: boolean;
  /** True if columns can be hidden. */
  hasMenu: boolean;
  /** True if the first column has a second line. */
  hasUnderName: boolean;
  /** True if the last column has a second line. */
  hasUnderAmount: boolean;
  rows: number;
}

/** Loading placeholder for a table, with its column headings and with rows as high as its own. */
export function TableSkeleton({ columns, rows, ...shape }: TableSkeletonProps) {
  const { hasDay, hasBoxes, hasOpeners, hasMenu, hasUnderName, hasUnderAmount } = shape;
  const minHeight = 35 + (hasDay ? 36 : 0) + rows * (hasUnderName || hasUnderAmount ? 47 : 37);
  return (
    <Late minHeight={minHeight}>
      <div className={tableClasses.scroller}>
        <Table className={tableClasses.table} role="presentation">
          <Table.Thead>
            <Table.Tr>
              {hasBoxes && (
                <Table.Th className={tableClasses.narrow}>
                  <Bar width="1.25rem" height="1.25rem" />
                </Table.Th>
              )}
              {columns.map(({ id, header, align, hiddenBelow }) => (
                <Table.Th key={id} data-align={align} visibleFrom={hiddenBelow}>
                  {header}
                </Table.Th>
              ))}
              {hasOpeners && (
                <Table.Th className={tableClasses.narrow}>
                  {hasMenu && <Box h={28} visibleFrom="sm" />}
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {hasDay && (
              <Table.Tr className={tableClasses.day}>
                <Table.Td colSpan={columns.length + 2}>
                  <Bar width="5rem" height="0.75rem" />
                </Table.Td>
              </Table.Tr>
            )}
            {Array.from({ length: rows }, (_, row) => row).map((row) => (
              <Table.Tr key={row}>
                {hasBoxes && (
                  <Table.Td className={tableClasses.narrow}>
                    <Bar width="1.25rem" height="1.25rem" />
                  </Table.Td>
                )}
                {columns.map(({ id, align, hiddenBelow, hasMonogram = false }, at) => (
                  <Table.Td key={id} data-align={align} visibleFrom={hiddenBelow}>
                    <Group
                      component="span"
                      gap="xs"
                      wrap="nowrap"
                      justify={align === 'end' ? 'end' : 'start'}
                    >
                      {hasMonogram && (
                        <span data-monogram>
                          <Bar width="1.5rem" height="1.5rem" radius="50%" />
                        </span>
                      )}
                      <Bar width={at === 0 ? barWidth(row, 5, 9) : barWidth(row + 4 * at, 2.5, 5.5)} />
                    </Group>
                    {at === 0 && hasUnderName && <Under width={barWidth(row + 2, 6, 10)} />}
                    {at === columns.length - 1 && hasUnderAmount && <Under width={barWidth(row, 2, 4)} />}
                  </Table.Td>
                ))}
                {hasOpeners && (
                  <Table.Td className={tableClasses.narrow}>
                    <Box h={28} />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Late>
  );
}

/** Second line. The outer span keeps its height, because empty values have none there. */
const Under = ({ width }: { width: string }) => (
  <Group className={tableClasses.under} component="span">
    <span>
      <Bar width={width} />
    </span>
  </Group>
);
