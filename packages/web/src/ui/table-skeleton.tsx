import { Box, Group, Table } from '@mantine/core';
import classes from './data-table.module.css';
import { Bar, barWidth, Late } from './late.tsx';

interface SkeletonColumn {
  id: string;
  header: string;
  align?: 'end';
  hiddenBelow?: 'xs' | 'sm' | 'md' | 'lg' | 'xl';
  hasMonogram?: boolean;
}

interface TableSkeletonProps {
  columns: readonly SkeletonColumn[];
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
  const { hasBoxes, hasOpeners, hasMenu, hasUnderName, hasUnderAmount } = shape;
  const minHeight = 35 + rows * (hasUnderName || hasUnderAmount ? 47 : 37);
  return (
    <Late minHeight={minHeight}>
      <div className={classes.scroller}>
        <Table className={classes.table} role="presentation">
          <Table.Thead>
            <Table.Tr>
              {hasBoxes && (
                <Table.Th className={classes.narrow}>
                  <Bar width="1.25rem" height="1.25rem" />
                </Table.Th>
              )}
              {columns.map(({ id, header, align, hiddenBelow }) => (
                <Table.Th key={id} data-align={align} visibleFrom={hiddenBelow}>
                  {header}
                </Table.Th>
              ))}
              {hasOpeners && (
                <Table.Th className={classes.narrow}>{hasMenu && <Box h={28} visibleFrom="sm" />}</Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {Array.from({ length: rows }, (_, row) => row).map((row) => (
              <Table.Tr key={row}>
                {hasBoxes && (
                  <Table.Td className={classes.narrow}>
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
                  <Table.Td className={classes.narrow}>
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
  <Group className={classes.under} component="span">
    <span>
      <Bar width={width} />
    </span>
  </Group>
);
