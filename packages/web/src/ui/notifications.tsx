import { Notifications as Shown } from '@mantine/notifications';

/** Container for the toasts, in the corner of the page. */
export const Notifications = () => <Shown position="bottom-right" limit={4} />;
