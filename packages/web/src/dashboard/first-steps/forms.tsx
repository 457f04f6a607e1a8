import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../ui/text.ts';
import { CreateForm } from '../screens/creators/create-form.tsx';
import { GroupEditor } from '../screens/shares/group-editor.tsx';
import { InviteForm } from '../screens/team/invite.tsx';
import { EndpointForm } from '../screens/webhooks/endpoint-form.tsx';
import { useEndpoints } from '../screens/webhooks/use-endpoints.ts';

export type FormName = 'group' | 'creator' | 'endpoint' | 'invite';

interface FormProps {
  opened: boolean;
  onClose(): void;
}

/** Form of another screen, over the current one. A closed form stays mounted, because it may still show a secret. */
export function Form({ name, ...props }: FormProps & { name: FormName }) {
  const { opened, onClose } = props;
  switch (name) {
    case 'group':
      return (
        <Dialog {...props} title={t('Create group')}>
          {opened && <GroupEditor group={null} isFirst onDone={onClose} onCancel={onClose} />}
        </Dialog>
      );
    case 'creator':
      return opened && <CreateForm onClose={onClose} onAdded={() => undefined} />;
    case 'endpoint':
      return <NewEndpoint {...props} />;
    case 'invite':
      return (
        <Dialog {...props} title={t('Invite colleague')}>
          {opened && <InviteForm onClose={onClose} />}
        </Dialog>
      );
  }
}

function NewEndpoint(props: FormProps) {
  const { data } = useEndpoints();
  return <EndpointForm {...props} kinds={data?.kinds ?? []} endpoint={null} />;
}
