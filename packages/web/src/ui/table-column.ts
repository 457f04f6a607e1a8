import { type ReactNode, useMemo } from 'react';
import { nameColumnOf } from './column-choice.ts';
import { useNarrow } from './use-narrow.ts';

/** Properties of a column's header. */
export interface HeadProps {
  id: string;
  header: string;
  'data-align': 'end' | undefined;
  visibleFrom: 'xs' | 'sm' | 'md' | 'lg' | 'xl' | undefined;
  scope: 'col';
}

export interface Column<Row> {
  id: string;
  header: string;
  cell(row: Row): ReactNode;
  /** `end` for amounts and counts, so that their digits line up. */
  align?: 'end';
  /**
   * Prominence of the value: `strong` for what readers look for first, such as the creator and the amount, and `quiet`
   * for what they read only in the row that they found.
   */
  tone?: 'strong' | 'quiet';
  /** Keeps short values on one line. */
  noWrap?: boolean;
  /**
   * Keeps a name on one line, which ends with an ellipsis if it is very long, so that all rows have the same height.
   * With `rest`, the column takes the width that the others leave in a window narrower than 1,200 pixels. Each of
   * these must be `noWrap`, or it would become as narrow as its longest word.
   */
  isCut?: boolean | 'rest';
  /** Draws the header of a column that the list can be sorted by: what `sortBy` returns. */
  sort?: ((head: HeadProps) => ReactNode) | undefined;
  /** Narrowest window that shows the column. The drawer shows every value. */
  hiddenBelow?: 'xs' | 'sm' | 'md' | 'lg' | 'xl';
  /**
   * On a phone, shows the value on a second line under the row's name instead of in a column. `first` puts the
   * value at the start of that line. `whole` shows all of it, with its buttons, on as many lines as it needs. `below`
   * shows up to two lines of a text below the line of the other values.
   */
  isUnderName?: boolean | 'first' | 'whole' | 'below';
  /** On a phone, shows the value under the last column, which is an amount. */
  isUnderAmount?: boolean;
  /** Returns whether a row's value is empty. If it is for every row of a page, the column is left out. */
  isBlank?(row: Row): boolean;
  /** True if the column is rarely left out, so that the loading placeholder has it, too. */
  isExpected?: boolean;
  /** True if the value starts with a person's circle, which the loading placeholder then has, too. */
  hasMonogram?: boolean;
}

/** Leaves out hidden and blank columns. On a phone, splits the others into real columns and values on the second line. */
export function useColumns<Row>(
  given: readonly Column<Row>[],
  hidden: readonly string[],
  rows: readonly Row[],
) {
  const isNarrow = useNarrow();
  const hiddenIds = [
    ...hidden,
    ...given.filter((column) => isLeftOut(column, rows)).map(({ id }) => id),
  ].join();
  return useMemo(() => {
    const name = nameColumnOf(given);
    const all = given.filter(
      ({ id, hiddenBelow, isUnderName, isUnderAmount }) =>
        (id === name || !hiddenIds.split(',').includes(id)) &&
        // A column that no phone shows can't be the last one, which has the values under the amount.
        (!isNarrow || isUnderName || isUnderAmount || hiddenBelow === undefined || hiddenBelow === 'xs'),
    );
    const underName = all
      .filter((each) => isNarrow && each.isUnderName)
      .toSorted((one, other) => Number(other.isUnderName === 'first') - Number(one.isUnderName === 'first'));
    const underAmount = all.filter((each) => isNarrow && each.isUnderAmount);
    const under = [...underName, ...underAmount];
    return { columns: all.filter((each) => !under.includes(each)), underName, underAmount };
  }, [given, hiddenIds, isNarrow]);
}

/** Returns whether a column has no value on a page. The rows of the loading placeholder are empty. */
const isLeftOut = <Row>({ isBlank, isExpected }: Column<Row>, rows: readonly Row[]): boolean =>
  isBlank !== undefined && (rows.length === 0 ? isExpected !== true : rows.every(isBlank));
