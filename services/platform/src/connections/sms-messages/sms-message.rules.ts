/**
 * Lifecycle of a text message. A delivery report may arrive before the message is known to be sent, and "delivered"
 * remains valid.
 */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

export const smsStates = lifecycle(
  'sms_message',
  {
    queued: { send: 'sent', deliver: 'delivered', fail: 'failed' },
    sent: { deliver: 'delivered', fail: 'failed' },
    // A message in progress during the gateway's disconnection may have been sent.
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

export const DailyLimit = fault(
  429,
  'daily_limit',
  'You have reached the daily limit of text messages. Try again tomorrow.',
);

const SECOND_FACTOR_MS = 600_000;
const OTHERS_MS = 86_400_000;

/**
 * Returns how long a message is worth sending. Second factors: ten minutes, then the text is erased. Others: one day.
 */
export const lifetimeOf = (purpose: string): number => (purpose === 'second_factor' ? SECOND_FACTOR_MS : OTHERS_MS);
