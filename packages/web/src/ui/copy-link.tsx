import { CopyButton } from './copy-button.tsx';
import { stringifyQuery } from './query-string.ts';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';

interface CopyLinkProps {
  /** What of the address may be sent to somebody else; the rest is the sender's own. */
  names: readonly string[];
  withLabel?: boolean;
}

/** Copies a link to what is shown: the path, the group, and what is named. */
export function CopyLink({ names, withLabel = false }: CopyLinkProps) {
  const { query } = useUrlState();
  const sent = Object.fromEntries(['group', ...names].map((name) => [name, query[name]]));
  const value = `${window.location.origin}${window.location.pathname}${stringifyQuery(sent)}`;
  return <CopyButton value={value} label={t('Copy the link')} icon="link" withLabel={withLabel} />;
}
