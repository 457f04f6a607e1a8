import { Notifications as Shown } from '@mantine/notifications';

export const Notifications = () => <Shown position="bottom-right" limit={4} />;
