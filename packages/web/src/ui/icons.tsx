import type { ReactElement } from 'react';

/** SVG paths on a 24 × 24 grid. */
const paths = {
  overview: 'M4 20V10M10 20V4M16 20v-7M22 20H2',
  transactions: 'M4 6h16M4 12h16M4 18h10',
  code: 'M4 4h8l9 9-8 8-9-9zM8 8v.5',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  creators:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM2 21c0-4 3-6 7-6s7 2 7 6M17 4a4 4 0 0 1 0 7M19 15c2 1 3 3 3 6',
  shares: 'M6 18 18 6M7.5 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM16.5 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  bounties: 'M5 21V4h13l-3 4 3 4H5',
  payouts: 'M3 7h18v12H3zM3 7l3-3h12l3 3M16 13h2',
  ledger: 'M6 3h13v18H6zM6 3a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2M10 8h6M10 12h6',
  connectors: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  webhooks: 'M8 16a4 4 0 1 1-3-4M12 8a4 4 0 1 1 4 4l-3 5M20 17a4 4 0 0 1-7-1H8l4-7',
  developers: 'm8 8-5 4 5 4M16 8l5 4-5 4M13.5 5l-3 14',
  audit: 'M12 7v5l3 2M3.5 9A9 9 0 1 1 3 13M3 4v5h5',
  team: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM16 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 19c0-3 2-5 6-5s6 2 6 5M16 14c4 0 6 2 6 5',
  sandbox: 'M6 3h12M6 21h12M7 3v3c0 3 10 9 10 12v3M17 3v3c0 3-10 9-10 12v3',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM12 2v3M12 19v3M4.9 4.9 7 7M17 17l2.1 2.1M2 12h3M19 12h3M4.9 19.1 7 17M17 7l2.1-2.1',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l5 5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  link: 'M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1',
  check: 'm5 13 4 4L19 7',
  cross: 'M6 6l12 12M18 6 6 18',
  alert: 'M12 9v5M12 17.5v.5M12 3 2 20h20z',
  info: 'M12 11v6M12 7v.5M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  pending: 'M12 7v5l3 3M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  stop: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM6 6l12 12',
  play: 'M7 5v14l12-7z',
  pause: 'M8 5v14M16 5v14',
  left: 'm14 6-6 6 6 6',
  right: 'm10 6 6 6-6 6',
  down: 'm6 10 6 6 6-6',
  up: 'm6 14 6-6 6 6',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 21c0-4 3-6 8-6s8 2 8 6',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  upload: 'M12 16V5M7 9l5-5 5 5M4 20h16',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  plus: 'M12 5v14M5 12h14',
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  keyboard: 'M2 7h20v11H2zM6 11h.5M10 11h.5M14 11h.5M18 11h.5M8 15h8',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .9-1 1.7M12 17v.5',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 22h4',
  filter: 'M3 5h18l-7 8v6l-4 2v-8z',
  lock: 'M6 11h12v10H6zM8 11V8a4 4 0 0 1 8 0v3',
  key: 'M8 17a5 5 0 1 1 4.6-7H22v4h-3v3h-4v-3h-2.4A5 5 0 0 1 8 17ZM8 12v.5',
  more: 'M5 12h.5M12 12h.5M19 12h.5',
  calendar: 'M4 5h16v16H4zM4 10h16M8 3v4M16 3v4',
  chart: 'M3 20h18M5 16l5-6 4 3 6-8',
  table: 'M3 5h18v14H3zM3 10h18M9 5v14',
  columns: 'M3 5h18v14H3zM9 5v14M15 5v14',
  views: 'M7 4h10v17l-5-4-5 4z',
} as const;

export type IconName = keyof typeof paths;

/** Width of the lines in pixels, the same for icons of all sizes. */
const lineWidth = 1.5;

/** Icon. Its container needs a label unless there is a word beside the icon. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }): ReactElement {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={(lineWidth * 24) / size}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
