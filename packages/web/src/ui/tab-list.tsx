import { Tabs, type TabsListProps, useTabsContext } from '@mantine/core';
import { useTabInView } from './use-tab-in-view.ts';

/** Row of tabs that keeps the chosen tab in view, also where only some of the tabs fit. */
export function TabList(props: TabsListProps) {
  const { value } = useTabsContext();
  return <Tabs.List ref={useTabInView(value)} {...props} />;
}
