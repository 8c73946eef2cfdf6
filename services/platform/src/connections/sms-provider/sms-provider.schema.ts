import { choice, input, ShortText, Url } from '@suite/chassis/fields';
import { z } from 'zod';
import { integration } from '../integrations/integration.schema.ts';

/** International phone number in E.164 format. */
export const PhoneNumber = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{6,14}$/, 'Enter the number with its country code, such as +491701234567.')
  .meta({ example: '+491701234567' });

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Enter a two-character country code such as DE.', abort: true })
  .refine((code) => countries.of(code) !== undefined, 'Country not found.');
const Path = z
  .string()
  .trim()
  .regex(/^[\w-]+(\.[\w-]+){0,9}$/, 'Enter a path such as messages.0.id.')
  .max(200);
const SuccessPath = z
  .string()
  .trim()
  .regex(/^[\w-]+(\.[\w-]+){0,9}(=.{1,100})?$/, 'Enter a path such as messages.0.status=0.')
  .max(300);

const Template = z
  .string()
  .min(1)
  .max(10_000)
  .describe(
    'Template of the request body. `{{to}}`, `{{text}}`, `{{sender}}`, `{{id}}` and `{{report_url}}` are replaced and escaped for the content type. Secrets belong in the headers.',
  );
const Headers = z
  .record(
    z.string().regex(/^[A-Za-z0-9-]{1,60}$/, 'Use A-Z, a-z, 0-9 and hyphens only.'),
    z
      .string()
      .max(2_000)
      .regex(/^[\t\x20-\x7E•]*$/, 'Enter the value as plain text on one line.'),
  )
  .refine((headers) => Object.keys(headers).length <= 20, 'Enter at most 20 headers.');

const shared = {
  method: choice('POST', 'PUT'),
  sender: ShortText(30).min(1),
  id_path: Path.nullable().describe("Path of the message ID in the provider's response."),
  success_path: SuccessPath.nullable().describe(
    "Path in the provider's response that reports success: `path` or `path=value`.",
  ),
  report_id_path: Path.describe('Path of the message ID in a delivery report: the ID of the provider, or `{{id}}`.'),
  report_status_path: Path.describe('Path of the status in a delivery report.'),
  allowed_countries: z.array(Country).max(250).describe('Countries to which messages can be sent. Empty for all.'),
  daily_limit: z
    .int()
    .min(1)
    .max(100_000)
    .describe("Maximum number of messages per day, in the workspace's time zone."),
  reminders: z
    .boolean()
    .default(false)
    .describe('Whether to send reminders by text message to staff with a number, and to others by e-mail only.'),
};

/** Settings of the text-message gateway. Secrets show their last four characters. */
export const SmsGatewaySettings = z
  .object({ url: z.string(), headers: z.record(z.string(), z.string()), body_template: z.string(), ...shared })
  .meta({ id: 'SmsGatewaySettings' });
export type SmsGatewaySettings = z.output<typeof SmsGatewaySettings>;

/** Text-message gateway of a workspace. */
export const SmsGateway = integration(
  SmsGatewaySettings,
  z.object({ today: z.int().describe('Number of messages sent today.'), queued: z.int() }),
).meta({ id: 'SmsGateway' });

/** Connection to a text-message provider. Omitted fields stay unchanged. */
export const SmsGatewayInput = input({
  url: Url.optional(),
  headers: Headers.optional().describe('HTTP headers. Replaces all previous headers.'),
  body_template: Template.optional(),
  method: shared.method.optional(),
  sender: shared.sender.optional(),
  id_path: Path.nullish(),
  success_path: SuccessPath.nullish(),
  report_id_path: Path.optional(),
  report_status_path: Path.optional(),
  allowed_countries: shared.allowed_countries.optional(),
  daily_limit: shared.daily_limit.optional(),
  reminders: z
    .boolean()
    .optional()
    .describe('Whether reminders are sent by text message to users with a phone number.'),
  test_to: PhoneNumber.optional().describe('Number for a test message, which tests the whole connection.'),
});
export type SmsGatewayInput = z.output<typeof SmsGatewayInput>;

export const SmsTestInput = input({ to: PhoneNumber });
