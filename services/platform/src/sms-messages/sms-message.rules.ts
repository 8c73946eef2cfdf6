/** The states of a text message. A report may come before we have heard that it was sent, and says nothing against "delivered". */
import { fault, lifecycle } from '@suite/chassis';

export const smsStates = lifecycle(
  'sms_message',
  {
    queued: { send: 'sent', deliver: 'delivered', fail: 'failed' },
    sent: { deliver: 'delivered', fail: 'failed' },
    // One that was under way when its gateway was disconnected may have been sent.
    failed: { send: 'sent', deliver: 'delivered' },
    delivered: {},
  },
  {
    actions: {
      send: { by: 'platform.deliver-sms' },
      deliver: { by: 'smsMessages.report' },
      fail: {
        by: ['platform.deliver-sms', 'smsMessages.report', 'smsGateway.disconnect', 'users.remove', 'account.remove'],
      },
    },
  },
);

export const DailyLimit = fault(429, 'daily_limit', 'The daily limit of text messages is reached.');

const SECOND_FACTOR_MS = 600_000;
const OTHERS_MS = 86_400_000;

/** How long a message is worth sending: a second factor for ten minutes, then its text is erased; others for a day. */
export const lifeOf = (purpose: string): number => (purpose === 'second_factor' ? SECOND_FACTOR_MS : OTHERS_MS);
