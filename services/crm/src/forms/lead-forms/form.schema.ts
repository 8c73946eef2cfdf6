import { choice, Color, idCheckedBy, input, ShortText, Url } from '@suite/chassis/fields';
import { z } from 'zod';

/**
 * Token in the path of a form. Any format is allowed, so that a malformed token gets the same response as an unknown
 * one.
 */
export const PublicToken = ShortText(4_096);

export const FormQuery = {
  lang: ShortText(20)
    .optional()
    .describe('Language of the texts. Defaults to the language of the widget if it has no texts in this language.'),
};

/** Names of honeypot fields: invisible to people, but filled by bots. Each form has one. */
export const HONEYPOTS = ['fax_number', 'middle_name', 'second_email', 'homepage'] as const;
export type Honeypot = (typeof HONEYPOTS)[number];

const UNSEEN = ShortText(2_000).optional().describe('Honeypot field. Leave empty if `honeypot` names this field.');

/** Form as returned to visitors. */
export const LeadForm = z
  .object({
    token: z.string(),
    version: z.int(),
    language: z.string(),
    texts: z.object({
      title: z.string(),
      intro: z.string().nullable(),
      submit: z.string(),
      thanks: z.string(),
    }),
    fields: z.array(
      z.object({
        name: z.string(),
        type: choice('text', 'email', 'tel', 'url', 'textarea', 'select', 'checkbox'),
        label: z.string(),
        required: z.boolean(),
        options: z.array(z.string()).optional(),
        max_length: z.int(),
      }),
    ),
    colors: z.object({ accent: Color, text: Color, background: Color }),
    consent: z.object({
      required: z.boolean(),
      text: z.string(),
      version: z.int(),
      privacy_url: z.string().nullable(),
    }),
    honeypot: z.string().describe('Name of the field that must stay empty.'),
    form_token: z
      .string()
      .describe('Token to send with the form, at least two seconds and at most one day after loading.'),
    submit_url: z.string(),
    redirect_url: z.string().nullable(),
  })
  .meta({ id: 'LeadForm' });
export type LeadForm = z.output<typeof LeadForm>;

const Utm = ShortText(200);

/** Form submission of a visitor. */
export const Submission = input({
  token: PublicToken.min(1),
  form_token: ShortText(200).min(1),
  submission_id: idCheckedBy('no service: the visitor chooses it'),
  fields: z
    .record(z.string().max(40), z.union([z.string(), z.boolean()]))
    .describe('Values by field name. `true` or `false` for a checkbox.'),
  consent: z.strictObject({ accepted: z.boolean(), version: z.int() }).optional(),
  page_url: Url.optional(),
  referrer: Url.optional(),
  utm: z.strictObject({ source: Utm, medium: Utm, campaign: Utm, term: Utm, content: Utm }).partial().optional(),
  fax_number: UNSEEN,
  middle_name: UNSEEN,
  second_email: UNSEEN,
  homepage: UNSEEN,
});
export type Submission = z.output<typeof Submission>;

/** Response to every accepted form. It does not reveal the outcome. */
export const SubmissionReceipt = z
  .object({ submission_id: z.uuid(), message: z.string(), redirect_url: z.string().nullable() })
  .meta({ id: 'LeadFormThanks' });
export type SubmissionReceipt = z.output<typeof SubmissionReceipt>;
