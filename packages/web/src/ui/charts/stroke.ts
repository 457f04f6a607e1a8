/** @returns the color of a line in both themes. @param color name of a theme color, such as `accent` */
export const strokeOf = (color: string): string =>
  `light-dark(var(--mantine-color-${color}-7), var(--mantine-color-${color}-4))`;
