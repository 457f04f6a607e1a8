/** Branding of an email: a publisher's (`publishers/mail-brand.ts`) or the product's own. */
export interface MailBrand {
  name: string;
  /** Color with enough contrast on white (`platform/colors.ts`); null for the product's own. */
  accent: string | null;
  /** Absolute URL of an image, with its size in pixels; null to show the name. */
  logo: { url: string; width: number; height: number } | null;
}

export interface MailTable {
  columns: readonly { title: string; isNumber?: true }[];
  /** Cells in the order of the columns. */
  rows: readonly (readonly string[])[];
}

/** Part of an email, from top to bottom. A string is a paragraph. All text is plain, never HTML. */
export type MailBlock =
  | string
  | { heading: string }
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { button: string; url: string }
  | { table: MailTable };

export interface MailContent {
  to: string;
  /** Null for an email that doesn't belong to a publisher. */
  brand: MailBrand | null;
  /** Also the email's heading. */
  subject: string;
  /** Preview text that mail clients show after the subject; defaults to the first paragraph. */
  preheader?: string;
  blocks: readonly MailBlock[];
  /** Small print with the reason the reader got the email and where to turn off such emails. */
  footer: string;
  footerLink?: { label: string; url: string };
}

/** Email whose texts are each on one line and limited in length. */
export type WrittenMail = Omit<Required<MailContent>, 'to' | 'brand' | 'footerLink'> & {
  brand: MailBrand;
  footerLink: { label: string; url: string } | null;
};
