import { createContext, type ReactNode } from 'react';

/** Content below each empty list, such as an offer to newcomers. */
export const EmptyFooter = createContext<ReactNode>(null);
