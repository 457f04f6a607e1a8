import { ScreenLink } from '../../screen-link.tsx';

/** Length of the longest valid code. Longer text is cut off here and shown in full in the details. */
const maxLength = 32;

/** Creator code of a request, linked to the code check for the request's group. */
export function CodeLink({ code, groupId }: { code: string; groupId: string | null }) {
  return (
    <ScreenLink screen="creators" query={{ check: code, group: groupId ?? undefined }}>
      <span title={code.length > maxLength ? code : undefined}>
        {code.length > maxLength ? `${code.slice(0, maxLength).toWellFormed()}…` : code}
      </span>
    </ScreenLink>
  );
}
