import { ScreenLink } from '../../screen-link.tsx';

/** A creator's code as it was sent, which leads to the check of it in the group it was sent for. */
export function CodeLink({ code, groupId }: { code: string; groupId: string | null }) {
  return (
    <ScreenLink screen="creators" query={{ check: code, group: groupId ?? undefined }}>
      {code}
    </ScreenLink>
  );
}
