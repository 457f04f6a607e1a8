import { Notifications as Shown } from '@mantine/notifications';

/** Messages in the corner, which go by themselves. */
export const Notifications = () => <Shown position="bottom-right" limit={4} />;
