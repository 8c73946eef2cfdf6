import {
  Country,
  Currency,
  Email,
  input,
  ShortText,
  Locale,
  Name,
  LongText,
  Phone,
  record,
  version,
  Zone,
} from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { FiscalYearStart, WeekStart } from './workspace-fields.schema.ts';
import { EmailLinks } from './email-link.schema.ts';
import { workspaceActions } from './workspace.rules.ts';

const LETTER_LOCALE =
  'Language of PDFs, and how they write amounts and dates. The language of a customer takes precedence. Labels are available in Arabic, Dutch, English, French, German, Italian, Japanese, Polish, Portuguese and Spanish. Other languages use English labels.';

/** Workspace, as visible to all its users and printed on its PDFs. */
export const Workspace = record({
  name: z.string(),
  slug: z.string(),
  plan: z.string(),
  timezone: Zone,
  base_currency: Currency,
  country: z.string().nullable(),
  fiscal_year_start: z.string().describe('First day of the fiscal year, as `MM-DD`.').meta({ example: '01-01' }),
  week_start: z.int().describe('First day of the week, from 1 (Monday) to 7 (Sunday).'),
  address: z.string().nullable().describe('Address as printed on PDFs, line by line.'),
  tax_number: z.string().nullable(),
  letter_footer: z.string().nullable().describe('Footer of every PDF page.'),
  letter_locale: Locale.nullable().describe(LETTER_LOCALE),
  contact_email: z.string().nullable().describe('E-mail address on PDFs.'),
  contact_phone: z.string().nullable().describe('Phone number on PDFs.'),
  website: z.string().nullable().describe('Website on PDFs.'),
  second_factor_required: z.boolean().describe('Whether all users need a second factor to sign in.'),
  email_reply_to: z
    .string()
    .nullable()
    .describe('Reply address of automatic e-mails. `null` for the address of an owner.'),
  links: EmailLinks.describe('Pages that e-mails link to.'),
  logo_url: z
    .string()
    .nullable()
    .describe('Link to the logo. No token required. Expires after one to three hours. `null` without a logo.'),
  allowed_actions: Actions(workspaceActions),
}).meta({ id: 'Workspace' });

export const WorkspaceChanges = input({
  name: Name.optional(),
  base_currency: Currency.optional().describe(
    'Base currency, an ISO 4217 code. Can change only while there are no documents and no postings.',
  ),
  country: Country.nullable().optional().describe('ISO 3166-1 alpha-2 country code.'),
  timezone: Zone.optional().describe('IANA time zone. Applies to new records and to the current day.'),
  fiscal_year_start: FiscalYearStart.optional().describe('First day of the fiscal year, as `MM-DD`.'),
  week_start: WeekStart.optional().describe('First day of the week: 1 for Monday to 7 for Sunday.'),
  address: LongText.max(500).nullable().optional().describe('Address as printed on PDFs, line by line.'),
  tax_number: ShortText(50).min(1).nullable().optional(),
  letter_footer: LongText.max(500)
    .nullable()
    .optional()
    .describe('Footer of every PDF page, such as bank account and company register.'),
  letter_locale: Locale.nullable().optional().describe(LETTER_LOCALE),
  contact_email: Email.nullable().optional().describe('E-mail address on PDFs.'),
  contact_phone: Phone.nullable().optional().describe('Phone number on PDFs.'),
  website: ShortText(200)
    .min(1)
    .nullable()
    .optional()
    .describe('Website on PDFs.')
    .meta({ example: 'northwind.example' }),
  second_factor_required: z
    .boolean()
    .optional()
    .describe('Whether all users need a second factor to sign in. Users without one set it up at the next sign-in.')
    .meta({ example: false }),
  email_reply_to: Email.nullable()
    .optional()
    .describe('Reply address of automatic e-mails. `null` for the address of an owner.'),
  links: EmailLinks.optional().describe(
    'The pages that e-mails link to. Replaces all links. Links with `{token}` can only be changed by an owner.',
  ),
  version,
});
