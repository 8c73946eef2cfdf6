/** Processing of webhook events: once, in any order, and within the permissions of the sender. */
import { withinWorkspace } from '@suite/chassis/database';
import { Fault, invalid } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { writeToOwners } from '../billing/letters.ts';
import { applySnapshot } from '../billing/snapshot.ts';
import { applyCheckout } from '../checkouts/checkout.ts';
import { applyAccount, disableAccount } from '../connect/account.ts';
import type { Mode } from '../instances/instance.rules.ts';
import { enterInstance } from '../instances/instance.ts';
import type { Db, Read, Write } from '../../operations.ts';
import { PaymentsNotConfigured } from '../payments/provider.ts';
import {
  type EventSubject,
  aboutOf,
  type EventState,
  letterFor,
  NotDigested,
  type ReadEvent,
  WrongMode,
} from './event.rules.ts';
import { fetchPresent, type Present } from './fetched.ts';
import { isTakenIn, putIntoInbox, seenEvent, settleEvent } from './inbox.ts';
import type { Sender } from './sender.ts';
import { type Standing, standingOf } from './standing.ts';

export interface ReceivedWebhookEvent {
  status: EventState;
  duplicate: boolean;
}

interface Means {
  read: Read;
  write: Write;
}

/** Event that is being received. */
interface Arrival {
  event: ReadEvent;
  about: EventSubject;
  mode: Mode;
  /** Instance that relays the event. Null for the provider itself. */
  relayed_by: string | null;
  standing: Standing | undefined;
  /** True if the event is replayed. */
  again: boolean;
}

/** Thrown if the row is newer than the fetched state. Rolls back the transaction, and the state is fetched again. */
class Older extends Error {}

/**
 * Result for events of other senders and for unknown objects. A relay cannot distinguish the two, and nothing is
 * recorded.
 */
const UNKNOWN: ReceivedWebhookEvent = { status: 'ignored_unknown', duplicate: false };

type Effect = { status: EventState; error: string | null };
const became = (status: EventState, error: string | null = null): Effect => ({ status, error });

/** Stores the provider's current state of an account. @throws Older */
async function applyToAccount(db: Db, { about, event }: Arrival, { account, fetched_at }: Present): Promise<Effect> {
  if (about.kind === 'deauthorized') {
    return became((await disableAccount(db, about.ref, event.created_at)) ? 'processed' : 'ignored_unknown');
  }
  const applied = account ? await applyAccount(db, account, fetched_at, event.created_at) : 'unknown';
  if (applied === 'older') throw new Older();
  return became(applied === 'applied' ? 'processed' : 'ignored_unknown');
}

/** Stores the provider's current state of a subscription and of its checkout. @throws Older */
async function applyToSubscription(
  tools: { db: Db; emit: Emit },
  { about, event, again }: Arrival,
  { subscription: snapshot, checkout, fetched_at, wl_instance_id, workspace_id: of_workspace }: Present,
): Promise<Effect> {
  const event_at = event.created_at;
  const own_event_at = about.kind === 'subscription' ? event_at : undefined;
  const applied = snapshot && (await applySnapshot(tools, { snapshot, fetched_at, event_at: own_event_at }));
  if (applied?.outcome === 'older') throw new Older();
  const [subscription_id, workspace_id] =
    applied?.outcome === 'applied' ? [applied.id, applied.workspace_id] : [null, null];
  const keepCheckout = async () =>
    checkout !== undefined && (await applyCheckout(tools, checkout, { subscription_id, event_at }));
  // The checkout of a workspace's own purchase is stored in its own rows.
  const isOwn = wl_instance_id === null && of_workspace !== null;
  const isKnown = isOwn ? await withinWorkspace(of_workspace, keepCheckout) : await keepCheckout();
  if (applied?.outcome === 'impossible') return became('failed', 'impossible_transition');
  // The e-mail for a replayed event was sent the first time.
  const letter = again ? undefined : letterFor(event.type);
  if (letter && workspace_id) await writeToOwners(tools.db, workspace_id, letter);
  return became(subscription_id !== null || isKnown ? 'processed' : 'ignored_unknown');
}

const apply = (tools: { db: Db; emit: Emit }, arrival: Arrival, present: Present): Promise<Effect> =>
  arrival.about.kind === 'subscription' || arrival.about.kind === 'checkout'
    ? applyToSubscription(tools, arrival, present)
    : applyToAccount(tools.db, arrival, present);

/** Stores an event and its effect in one transaction. */
function keep(
  { write }: Means,
  { event, mode, again, relayed_by }: Pick<Arrival, 'event' | 'mode' | 'again' | 'relayed_by'>,
  wl_instance_id: string | null,
  effect: (tools: { db: Db; emit: Emit }) => Promise<Effect>,
): Promise<ReceivedWebhookEvent> {
  return write(async (db, emit) => {
    if (wl_instance_id) await enterInstance(wl_instance_id, mode);
    const inboxed = await putIntoInbox(db, event, {
      wl_instance_id,
      mode,
      again,
      is_relayed: relayed_by !== null && !again,
    });
    if (inboxed.duplicate) return { status: inboxed.status, duplicate: true };
    const { status, error } = await effect({ db, emit });
    await settleEvent(db, inboxed, status, error);
    return { status, duplicate: false };
  });
}

/** Makes one attempt to process an event. @throws Older if the provider must be called again */
async function attempt(means: Means, arrival: Arrival): Promise<ReceivedWebhookEvent> {
  const { about, mode, relayed_by, standing } = arrival;
  const present = await fetchPresent(mode, about);
  const owner = standing?.wl_instance_id ?? present.wl_instance_id;
  if (relayed_by !== null && relayed_by !== owner) return UNKNOWN;
  const isKnown = present.subscription ?? present.checkout ?? present.account;
  if (relayed_by !== null && !arrival.again && !isKnown && about.kind !== 'deauthorized') return UNKNOWN;
  return await keep(means, arrival, owner, (tools) => apply(tools, arrival, present));
}

/** Processes an event that has an object. @throws NotDigested */
async function digest(means: Means, arrival: Arrival): Promise<ReceivedWebhookEvent> {
  const tries = async () => {
    try {
      return await attempt(means, arrival);
    } catch (error) {
      if (error instanceof Older) return await attempt(means, arrival);
      throw error;
    }
  };
  return await tries().catch((error: unknown) => {
    // The provider retries a failed event, and does not need to know which service was down.
    const isOver =
      error instanceof Older ||
      (error instanceof Fault && (error.status >= 500 || error.code === PaymentsNotConfigured.code));
    throw isOver ? Object.assign(NotDigested(), { cause: error }) : error;
  });
}

const AHEAD_MS = 300_000;

/**
 * Returns a relayed event with a time that is not in the future: later events are compared with it, and ignored as stale.
 * @throws a 422 for a time that no difference of clocks explains
 */
function notAhead(event: ReadEvent): ReadEvent {
  const now = clock.now();
  if (event.created_at.getTime() > now.getTime() + AHEAD_MS)
    throw invalid('created', 'The time of an event must not be in the future.');
  return event.created_at > now ? { ...event, created_at: now } : event;
}

/**
 * Receives an event.
 * @throws WrongMode; NotDigested if the event must be sent again
 */
export async function takeEvent(
  means: Means,
  { mode, instance_id }: Sender,
  given: ReadEvent,
): Promise<ReceivedWebhookEvent> {
  const event = instance_id === null ? given : notAhead(given);
  if (event.livemode !== undefined && event.livemode !== (mode === 'live')) throw WrongMode();
  const before = await means.read((db) => seenEvent(db, event));
  if (isTakenIn(before)) return { status: before, duplicate: true };
  const about = aboutOf(event);
  const ignored = { event, mode, again: false, relayed_by: instance_id };
  if (!about && instance_id !== null) return UNKNOWN;
  if (!about) return await keep(means, ignored, null, async () => became('ignored_unknown'));
  const standing = await means.read((db) => standingOf(db, about));
  const owner = standing?.wl_instance_id ?? null;
  if (standing && instance_id !== null && owner !== instance_id) return UNKNOWN;
  const isStale = standing?.latest_event_at && event.created_at.getTime() < Date.parse(standing.latest_event_at);
  if (isStale && before !== 'failed') return await keep(means, ignored, owner, async () => became('ignored_stale'));
  return await digest(means, { event, about, mode, relayed_by: instance_id, standing, again: false });
}

/** Replays an event of an instance from its stored content. @throws NotDigested */
export async function replayEvent(means: Means, instance: { id: string; mode: Mode }, event: ReadEvent): Promise<void> {
  const about = aboutOf(event);
  if (!about) return;
  const standing = await means.read((db) => standingOf(db, about));
  await digest(means, { event, about, mode: instance.mode, relayed_by: instance.id, standing, again: true });
}
