import { Button } from '@mantine/core';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';

/** Next step of a list that its filters leave empty. */
export function ClearFilters({ names }: { names: readonly string[] }) {
  const { setQuery } = useUrlState();
  return (
    <Button variant="default" onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, null])))}>
      {t('Clear filters')}
    </Button>
  );
}
