import { ScreenLink } from '../../screen-link.tsx';

/** No code is longer; what else was sent is shown by its beginning, and whole where it is opened. */
const longest = 32;

/** A creator's code as it was sent, which leads to the check of it in the group it was sent for. */
export function CodeLink({ code, groupId }: { code: string; groupId: string | null }) {
  return (
    <ScreenLink screen="creators" query={{ check: code, group: groupId ?? undefined }}>
      <span title={code.length > longest ? code : undefined}>
        {code.length > longest ? `${code.slice(0, longest).toWellFormed()}…` : code}
      </span>
    </ScreenLink>
  );
}
