import { CopyButton } from './copy-button.tsx';
import { stringifyQuery } from './query-string.ts';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';
import { useNarrow } from './use-narrow.ts';

interface CopyLinkProps {
  /** URL parameters to include in the link. The other parameters are the sender's own state. */
  names: readonly string[];
  /** Shows the label beside the icon, except on a phone. */
  withLabel?: boolean;
}

/**
 * Button that copies a link to the current view. The link contains the path, the group and the named
 * parameters.
 */
export function CopyLink({ names, withLabel = false }: CopyLinkProps) {
  const { query } = useUrlState();
  const isNarrow = useNarrow();
  const shared = Object.fromEntries(['group', ...names].map((name) => [name, query[name]]));
  const value = `${window.location.origin}${window.location.pathname}${stringifyQuery(shared)}`;
  return <CopyButton value={value} label={t('Copy link')} icon="link" withLabel={withLabel && !isNarrow} />;
}
