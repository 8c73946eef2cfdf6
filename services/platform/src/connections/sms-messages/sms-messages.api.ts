/** Text messages of the workspace, with their delivery reports. */
import { sql } from '@suite/chassis/database';
import { paginate, readOne } from '@suite/chassis/lists';
import { can, created, ok, openToReports, page } from '@suite/chassis/operations';
import { NotConnected } from '../integrations/integration.rules.ts';
import { command, inSmsGateway } from '../../operations.ts';
import { queueSms, receiveReport } from './sms-message.ts';
import { DailyLimit } from './sms-message.rules.ts';
import { ReportReceived, ReportToken, SmsFilter, SmsInput, SmsMessage, SmsReport } from './sms-message.schema.ts';

const ADDITION = 'A gateway is only useful if users can send through it and view its messages.';

// Chosen: codes show only the last digits of their recipient's number. The number is a user's second factor, not a
// contact of the workspace.
const to = sql`CASE WHEN purpose = 'second_factor' THEN '••••' || right(sms_messages."to", 2) ELSE sms_messages."to" END`;
const view = { table: 'sms_messages', compute: { to } };

// Chosen: messages contain customers' phone numbers, so only users who manage integrations may see them.
export const list = inSmsGateway.query('GET /api/smsgateway/messages', {
  summary: 'List text messages',
  description: 'Returns sent, queued and failed text messages. The text of sign-in codes is never shown.',
  addition: ADDITION,
  access: can('integration.manage'),
  query: SmsFilter,
  reply: page(SmsMessage),
  handle: ({ db, query }) => paginate(db, query, view),
});

export const send = inSmsGateway.command('POST /api/smsgateway/send', {
  summary: 'Send a text message',
  description:
    'Queues the message for the provider. A temporary failure is retried three times. Returns `not_connected` without a gateway and `daily_limit` once the limit is reached.',
  addition: ADDITION,
  access: can('integration.manage'),
  body: SmsInput,
  reply: created(SmsMessage),
  faults: [NotConnected, DailyLimit],
  handle: async ({ db, keys, body }) => readOne(db, SmsMessage, await queueSms(db, keys, body), view),
});

export const report = command('POST /api/smsgateway/report/{report_token}', {
  summary: 'Receive a delivery report',
  description:
    'Receives a delivery report of the provider, at the address given as `{{report_url}}`. Repeated reports have no effect, and delivered messages stay unchanged.',
  addition: 'Providers report the delivery of messages by a call.',
  access: openToReports,
  params: { report_token: ReportToken },
  body: SmsReport,
  reply: ok(ReportReceived),
  async handle({ db, caller, params, body }) {
    await receiveReport(db, caller, params.report_token, body);
    return { received: true as const };
  },
});
