/** Processing of webhook events: once, in any order, and within the permissions of the sender. */
import { runInWorkspace } from '@suite/chassis/database';
import { Fault, invalid } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { queueMailToOwners } from '../billing/billing-mail.ts';
import { applySnapshot } from '../billing/snapshot.ts';
import { applyCheckout } from '../checkouts/checkout.ts';
import { applyAccount, disableAccount } from '../connect/account.ts';
import type { Mode } from '../instances/instance.rules.ts';
import { enterInstance } from '../instances/instance.ts';
import type { Db, Read, Write } from '../../operations.ts';
import { PaymentsNotConfigured } from '../payments/provider.ts';
import {
  type EventSubject,
  subjectOf,
  type EventState,
  mailFor,
  ProcessingFailed,
  type WebhookEvent,
  WrongMode,
} from './event.rules.ts';
import { fetchCurrentState, type CurrentState } from './current-state.ts';
import { isProcessed, addToInbox, statusOfReceived, recordResult } from './inbox.ts';
import type { EventSender } from './sender.ts';
import { type KnownObject, findKnownObject } from './known-object.ts';

export interface ReceivedWebhookEvent {
  status: EventState;
  duplicate: boolean;
}

interface ProcessingContext {
  read: Read;
  write: Write;
}

/** Event that is being received. */
interface IncomingEvent {
  event: WebhookEvent;
  subject: EventSubject;
  mode: Mode;
  /** Instance that relays the event. Null for the provider itself. */
  relayed_by: string | null;
  known: KnownObject | undefined;
  /** True if the event is replayed. */
  isReplay: boolean;
}

/** Thrown if the row is newer than the fetched state. Rolls back the transaction, and the state is fetched again. */
class NewerStateStored extends Error {}

/**
 * Result for events of other senders and for unknown objects. A relay cannot distinguish the two, and nothing is
 * recorded.
 */
const UNKNOWN: ReceivedWebhookEvent = { status: 'ignored_unknown', duplicate: false };

type EventEffect = { status: EventState; error: string | null };
const effectOf = (status: EventState, error: string | null = null): EventEffect => ({ status, error });

/** Stores the provider's current state of an account. @throws NewerStateStored */
async function applyToAccount(
  db: Db,
  { subject, event }: IncomingEvent,
  { account, fetched_at }: CurrentState,
): Promise<EventEffect> {
  if (subject.kind === 'deauthorized') {
    return effectOf((await disableAccount(db, subject.ref, event.created_at)) ? 'processed' : 'ignored_unknown');
  }
  const applied = account ? await applyAccount(db, account, fetched_at, event.created_at) : 'unknown';
  if (applied === 'older') throw new NewerStateStored();
  return effectOf(applied === 'applied' ? 'processed' : 'ignored_unknown');
}

/** Stores the provider's current state of a subscription and of its checkout. @throws NewerStateStored */
async function applyToSubscription(
  tools: { db: Db; emit: Emit },
  { subject, event, isReplay }: IncomingEvent,
  { subscription: snapshot, checkout, fetched_at, wl_instance_id, workspace_id: owner_workspace_id }: CurrentState,
): Promise<EventEffect> {
  const event_at = event.created_at;
  const subscription_event_at = subject.kind === 'subscription' ? event_at : undefined;
  const applied = snapshot && (await applySnapshot(tools, { snapshot, fetched_at, event_at: subscription_event_at }));
  if (applied?.outcome === 'older') throw new NewerStateStored();
  const [subscription_id, workspace_id] =
    applied?.outcome === 'applied' ? [applied.id, applied.workspace_id] : [null, null];
  const storeCheckout = async () =>
    checkout !== undefined && (await applyCheckout(tools, checkout, { subscription_id, event_at }));
  // The checkout of a workspace's own purchase is stored in its own rows.
  const isOwn = wl_instance_id === null && owner_workspace_id !== null;
  const isKnown = isOwn ? await runInWorkspace(owner_workspace_id, storeCheckout) : await storeCheckout();
  if (applied?.outcome === 'impossible') return effectOf('failed', 'impossible_transition');
  // The e-mail for a replayed event was sent the first time.
  const mail = isReplay ? undefined : mailFor(event.type);
  if (mail && workspace_id) await queueMailToOwners(tools.db, workspace_id, mail);
  return effectOf(subscription_id !== null || isKnown ? 'processed' : 'ignored_unknown');
}

const applyState = (
  tools: { db: Db; emit: Emit },
  incoming: IncomingEvent,
  current: CurrentState,
): Promise<EventEffect> =>
  incoming.subject.kind === 'subscription' || incoming.subject.kind === 'checkout'
    ? applyToSubscription(tools, incoming, current)
    : applyToAccount(tools.db, incoming, current);

/** Stores an event and its effect in one transaction. */
function storeEvent(
  { write }: ProcessingContext,
  { event, mode, isReplay, relayed_by }: Pick<IncomingEvent, 'event' | 'mode' | 'isReplay' | 'relayed_by'>,
  wl_instance_id: string | null,
  effect: (tools: { db: Db; emit: Emit }) => Promise<EventEffect>,
): Promise<ReceivedWebhookEvent> {
  return write(async (db, emit) => {
    if (wl_instance_id) await enterInstance(wl_instance_id, mode);
    const inboxEvent = await addToInbox(db, event, {
      wl_instance_id,
      mode,
      isReplay,
      is_relayed: relayed_by !== null && !isReplay,
    });
    if (inboxEvent.duplicate) return { status: inboxEvent.status, duplicate: true };
    const { status, error } = await effect({ db, emit });
    await recordResult(db, inboxEvent, status, error);
    return { status, duplicate: false };
  });
}

/** Makes one attempt to process an event. @throws NewerStateStored if the provider must be called again */
async function processOnce(context: ProcessingContext, incoming: IncomingEvent): Promise<ReceivedWebhookEvent> {
  const { subject, mode, relayed_by, known } = incoming;
  const current = await fetchCurrentState(mode, subject);
  const owner = known?.wl_instance_id ?? current.wl_instance_id;
  if (relayed_by !== null && relayed_by !== owner) return UNKNOWN;
  const isKnown = current.subscription ?? current.checkout ?? current.account;
  if (relayed_by !== null && !incoming.isReplay && !isKnown && subject.kind !== 'deauthorized') return UNKNOWN;
  return await storeEvent(context, incoming, owner, (tools) => applyState(tools, incoming, current));
}

/** Processes an event that has an object. @throws ProcessingFailed */
async function processEvent(context: ProcessingContext, incoming: IncomingEvent): Promise<ReceivedWebhookEvent> {
  const processWithRetry = async () => {
    try {
      return await processOnce(context, incoming);
    } catch (error) {
      if (error instanceof NewerStateStored) return await processOnce(context, incoming);
      throw error;
    }
  };
  return await processWithRetry().catch((error: unknown) => {
    // The provider retries a failed event, and does not need to know which service was down.
    const isRetryable =
      error instanceof NewerStateStored ||
      (error instanceof Fault && (error.status >= 500 || error.code === PaymentsNotConfigured.code));
    throw isRetryable ? Object.assign(ProcessingFailed(), { cause: error }) : error;
  });
}

const AHEAD_MS = 300_000;

/**
 * Returns a relayed event with a time that is not in the future: later events are compared with it, and ignored as stale.
 * @throws a 422 for a time that no difference of clocks explains
 */
function withoutFutureTime(event: WebhookEvent): WebhookEvent {
  const now = clock.now();
  if (event.created_at.getTime() > now.getTime() + AHEAD_MS)
    throw invalid('created', 'The time of an event must not be in the future.');
  return event.created_at > now ? { ...event, created_at: now } : event;
}

/**
 * Receives an event.
 * @throws WrongMode; ProcessingFailed if the event must be sent again
 */
export async function receiveEvent(
  context: ProcessingContext,
  { mode, instance_id }: EventSender,
  received: WebhookEvent,
): Promise<ReceivedWebhookEvent> {
  const event = instance_id === null ? received : withoutFutureTime(received);
  if (event.livemode !== undefined && event.livemode !== (mode === 'live')) throw WrongMode();
  const before = await context.read((db) => statusOfReceived(db, event));
  if (isProcessed(before)) return { status: before, duplicate: true };
  const subject = subjectOf(event);
  const ignoredEvent = { event, mode, isReplay: false, relayed_by: instance_id };
  if (!subject && instance_id !== null) return UNKNOWN;
  if (!subject) return await storeEvent(context, ignoredEvent, null, async () => effectOf('ignored_unknown'));
  const known = await context.read((db) => findKnownObject(db, subject));
  const owner = known?.wl_instance_id ?? null;
  if (known && instance_id !== null && owner !== instance_id) return UNKNOWN;
  const isStale = known?.latest_event_at && event.created_at.getTime() < Date.parse(known.latest_event_at);
  if (isStale && before !== 'failed')
    return await storeEvent(context, ignoredEvent, owner, async () => effectOf('ignored_stale'));
  return await processEvent(context, { event, subject, mode, relayed_by: instance_id, known, isReplay: false });
}

/** Replays an event of an instance from its stored content. @throws ProcessingFailed */
export async function replayEvent(
  context: ProcessingContext,
  instance: { id: string; mode: Mode },
  event: WebhookEvent,
): Promise<void> {
  const subject = subjectOf(event);
  if (!subject) return;
  const known = await context.read((db) => findKnownObject(db, subject));
  await processEvent(context, { event, subject, mode: instance.mode, relayed_by: instance.id, known, isReplay: true });
}
