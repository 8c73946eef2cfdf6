/** Events of the payment provider. The contents of an event determine its subject. */
import { fault, invalid } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import { z } from 'zod';

export const WrongMode = fault(
  422,
  'wrong_mode',
  'The mode of this event does not match the secret that signed it. Check the webhook secrets.',
);
export const EventTooLarge = fault(413, 'payload_too_large', 'This event is too large. Send at most 256 KiB.');
export const ProcessingFailed = fault(503, 'unavailable', 'This event cannot be processed now. Send it again.', {
  retryable: true,
});

export const EVENT_STATES = ['received', 'processed', 'ignored_stale', 'ignored_unknown', 'failed'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** Lifecycle of an event. The provider's state determines the outcome, and a failed event can be processed again. */
export const inboundEvents = lifecycle(
  'inbound_event',
  { received: {}, processed: {}, ignored_stale: {}, ignored_unknown: {}, failed: {} },
  { derived: { among: [...EVENT_STATES], from: 'the response of the payment provider' }, actions: {} },
);

const Ref = z.string().regex(/^[\x20-\x7e]{1,255}$/);
const IdOrObject = z
  .union([Ref, z.object({ id: Ref })])
  .transform((value) => (typeof value === 'string' ? value : value.id));

/** Relevant parts of an event's object. Objects of unknown kinds may have other fields with the same names. */
const EventObject = z.object({
  id: Ref.optional().catch(undefined),
  subscription: IdOrObject.nullish().catch(null),
  parent: z
    .object({ subscription_details: z.object({ subscription: IdOrObject.nullish() }).nullish() })
    .nullish()
    .catch(null),
});

/** Relevant parts of an event. Only the IDs of its object are read. */
const Event = z.object({
  id: Ref,
  type: Ref,
  created: z.int().positive().max(253_402_300_799),
  livemode: z.boolean().nullish(),
  account: Ref.nullish().catch(null),
  data: z
    .object({ object: EventObject.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** The parts of an event that are used. */
export interface WebhookEvent {
  id: string;
  type: string;
  created_at: Date;
  livemode: boolean | undefined;
  object_ref: string | null;
  /** Subscription of an invoice. */
  subscription_ref: string | null;
  account_ref: string | null;
}

/** Parses an event. @throws a 422 fault that names the missing field */
export function parseEvent(body: Buffer): WebhookEvent {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw invalid('body', 'Send an event as JSON.');
  }
  const { data: event, error } = Event.safeParse(parsed);
  if (!event) throw invalid(error.issues[0]?.path.join('.') || 'body', 'Send an event with an ID, a type and a time.');
  const { object } = event.data ?? {};
  return {
    id: event.id,
    type: event.type,
    created_at: new Date(event.created * 1_000),
    livemode: event.livemode ?? undefined,
    object_ref: object?.id ?? null,
    subscription_ref: object?.parent?.subscription_details?.subscription ?? object?.subscription ?? null,
    account_ref: event.account ?? null,
  };
}

/** Object to fetch because of an event. Undefined if the event has no effect. */
export type EventSubject =
  | { kind: 'subscription' | 'checkout' | 'account'; ref: string }
  | { kind: 'deauthorized'; ref: string };

const MAILS: Readonly<Record<string, 'trial_ending_soon' | 'payment_failed' | 'payment_action_needed'>> = {
  'customer.subscription.trial_will_end': 'trial_ending_soon',
  'invoice.payment_failed': 'payment_failed',
  'invoice.payment_action_required': 'payment_action_needed',
};

/** Returns the e-mail that an event triggers. */
export const mailFor = (type: string) => MAILS[type];

const typesOf = (object: string, changes: readonly string[]) => changes.map((change) => `${object}.${change}`);
const SUBSCRIPTION = typesOf('customer.subscription', [
  'created',
  'updated',
  'deleted',
  'paused',
  'resumed',
  'trial_will_end',
]);
const CHECKOUT = typesOf('checkout.session', [
  'completed',
  'expired',
  'async_payment_succeeded',
  'async_payment_failed',
]);
const INVOICE = typesOf('invoice', ['paid', 'payment_failed', 'payment_action_required']);
/** Types of the events that are about objects of the operator's own account at the provider. */
export const OWN_EVENT_TYPES: readonly string[] = [...SUBSCRIPTION, ...CHECKOUT, ...INVOICE];

type EventReferences = Pick<WebhookEvent, 'type' | 'object_ref' | 'subscription_ref' | 'account_ref'>;

/** Returns the object that an event is about. */
export function subjectOf({
  type,
  object_ref,
  subscription_ref,
  account_ref,
}: EventReferences): EventSubject | undefined {
  if (SUBSCRIPTION.includes(type) && object_ref) return { kind: 'subscription', ref: object_ref };
  if (INVOICE.includes(type) && subscription_ref) return { kind: 'subscription', ref: subscription_ref };
  if (CHECKOUT.includes(type) && object_ref) return { kind: 'checkout', ref: object_ref };
  if (type === 'account.updated' && object_ref) return { kind: 'account', ref: object_ref };
  if (type === 'account.application.deauthorized' && account_ref) return { kind: 'deauthorized', ref: account_ref };
  return undefined;
}
