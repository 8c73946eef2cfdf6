/** Events of the payment provider: what each is about, decided by its words alone. */
import { fault, invalid, lifecycle } from '@suite/chassis';
import { z } from 'zod';

export const WrongMode = fault(422, 'wrong_mode', 'The mode of this event does not match the secret that signed it.');
export const EventTooLarge = fault(413, 'payload_too_large', 'An event has at most 256 KiB.');
export const NotDigested = fault(503, 'unavailable', 'This event cannot be processed now. Send it again.', {
  retryable: true,
});

export const EVENT_STATES = ['received', 'processed', 'ignored_stale', 'ignored_unknown', 'failed'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** The outcome of an event follows from the provider's state; one that failed can be taken in again. */
export const inboundEvents = lifecycle(
  'inbound_event',
  { received: {}, processed: {}, ignored_stale: {}, ignored_unknown: {}, failed: {} },
  { derived: { among: [...EVENT_STATES], from: 'what the payment provider answers' }, actions: {} },
);

const Ref = z.string().regex(/^[\x20-\x7e]{1,255}$/);
const Named = z
  .union([Ref, z.object({ id: Ref })])
  .transform((named) => (typeof named === 'string' ? named : named.id));

/** The parts of an event's object that we read. An object of a kind that we do not know may have others of the same names. */
const EventObject = z.object({
  id: Ref.optional().catch(undefined),
  subscription: Named.nullish().catch(null),
  parent: z
    .object({ subscription_details: z.object({ subscription: Named.nullish() }).nullish() })
    .nullish()
    .catch(null),
});

/** The parts of an event that we read; of its object the names of what it is about and nothing else. */
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

/** An event as far as it matters. */
export interface ReadEvent {
  id: string;
  type: string;
  created_at: Date;
  livemode: boolean | undefined;
  object_ref: string | null;
  /** The subscription of an invoice. */
  subscription_ref: string | null;
  account_ref: string | null;
}

/** Reads an event. @throws a 422 that names what is missing */
export function readEvent(body: Buffer): ReadEvent {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw invalid('body', 'Send an event as JSON.');
  }
  const { data: event, error } = Event.safeParse(parsed);
  if (!event) throw invalid(error.issues[0]?.path.join('.') || 'body', 'An event has an id, a type and a time.');
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

/** The object that has to be fetched because of an event; undefined where it changes nothing here. */
export type About =
  | { kind: 'subscription' | 'checkout' | 'account'; ref: string }
  | { kind: 'deauthorized'; ref: string };

const LETTERS: Readonly<Record<string, 'trial_ending_soon' | 'payment_failed' | 'payment_action_needed'>> = {
  'customer.subscription.trial_will_end': 'trial_ending_soon',
  'invoice.payment_failed': 'payment_failed',
  'invoice.payment_action_required': 'payment_action_needed',
};

/** The letter that an event is the reason of. */
export const letterFor = (type: string) => LETTERS[type];

const SUBSCRIPTION = /^customer\.subscription\.(created|updated|deleted|paused|resumed|trial_will_end)$/;
const CHECKOUT = /^checkout\.session\.(completed|expired|async_payment_succeeded|async_payment_failed)$/;
const INVOICE = /^invoice\.(paid|payment_failed|payment_action_required)$/;

type Words = Pick<ReadEvent, 'type' | 'object_ref' | 'subscription_ref' | 'account_ref'>;

/** Names the object that an event is about. */
export function aboutOf({ type, object_ref, subscription_ref, account_ref }: Words): About | undefined {
  if (SUBSCRIPTION.test(type) && object_ref) return { kind: 'subscription', ref: object_ref };
  if (INVOICE.test(type) && subscription_ref) return { kind: 'subscription', ref: subscription_ref };
  if (CHECKOUT.test(type) && object_ref) return { kind: 'checkout', ref: object_ref };
  if (type === 'account.updated' && object_ref) return { kind: 'account', ref: object_ref };
  if (type === 'account.application.deauthorized' && account_ref) return { kind: 'deauthorized', ref: account_ref };
  return undefined;
}
