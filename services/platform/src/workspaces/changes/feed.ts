/** A page of the changes of a workspace: merges what is new, and asks each service what the caller may see of its changes. */
import { fault, invalid, Unavailable } from '@suite/chassis/faults';
import type { DescribedChange, ListNewChangesRequest } from '@suite/proto/records/v1/records';
import { type Db, RECORD_SERVICES, type Rpc } from '../../operations.ts';
import { type Batch, merge } from './merge.ts';
import { addChanges, openSequence, type Sequence, type StoredChange, storedAfter } from './sequence.ts';

export const CursorExpired = fault(
  410,
  'cursor_expired',
  'The changes after this cursor are no longer available. Copy all records again, and continue with a new cursor.',
);

/** Runs work in a transaction of platform. */
type Derive = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

interface FeedContext {
  derive: Derive;
  rpc: Rpc;
  workspace_id: string;
}

/** A request for changes. */
export interface FeedRequest {
  after: string | undefined;
  types: readonly string[] | undefined;
  limit: number;
}

/** A change that the caller may see. */
export interface SeenChange extends DescribedChange {
  cursor: string;
  record_type: string;
  record_id: string;
}

/** A page of changes. */
export interface FeedPage {
  changes: SeenChange[];
  cursor: string;
  has_more: boolean;
}

/** Stored changes that one step examines. */
const SCANNED = 1_000;
/** Commands that one request reads from a service. */
const COMMANDS = 500;
/** Steps that find nothing for the caller. Afterwards, the caller asks again, from a later cursor. */
const EMPTY_STEPS = 10;
/** Longest time of a request for the present end, in milliseconds. */
const PREPARED_WITHIN_MS = 1_500;

const cursorOf = ({ epoch }: Sequence, sequence: number): string => `${epoch}-${sequence}`;

/** Returns the sequence number of a cursor. @throws a 422 that names `after`, or CursorExpired */
function sequenceOf(cursor: string, { epoch, last_sequence, removed_sequence }: Sequence): number {
  const [of, sequence] = cursor.split('-').map(Number) as [number, number];
  if (of !== epoch || sequence < removed_sequence) throw CursorExpired();
  if (sequence > last_sequence) throw invalid('after', 'Use a cursor from an earlier response.');
  return sequence;
}

/** The result of a merge. */
interface MergedNext {
  /** The revision of the sequence before the merge. */
  revision: number;
  /** True if the sequence may have changed. */
  is_new: boolean;
  /** True if there may be more. */
  has_more: boolean;
}

/** Merges of this process by workspace: concurrent requests of one workspace share a merge. */
const merging = new Map<string, Promise<MergedNext>>();

async function mergeNext({ derive, rpc }: FeedContext, sequence: Sequence): Promise<MergedNext> {
  const asked = RECORD_SERVICES.map(async (service): Promise<Batch> => {
    const request: ListNewChangesRequest = { after: sequence.places[service], limit: COMMANDS };
    return { ...(await rpc[`${service}.records`].listNewChanges(request)), service };
  });
  const replies = await Promise.allSettled(asked);
  const batches = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  const failed = replies.find((reply) => reply.status === 'rejected');
  // The changes of the other services need not wait. The changes of this service follow later.
  if (batches.length === 0) throw failed!.reason;
  const { changes, places, has_more } = merge(batches);
  const is_new = changes.length > 0 || has_more;
  if (is_new) await derive((db) => addChanges(db, sequence, changes, { ...sequence.places, ...places }));
  return { revision: sequence.revision, is_new, has_more };
}

/** Adds the next changes of all services to a sequence. */
function mergeShared(context: FeedContext, sequence: Sequence): Promise<MergedNext> {
  const running = merging.get(context.workspace_id);
  if (running) return running;
  const started = mergeNext(context, sequence).finally(() => merging.delete(context.workspace_id));
  merging.set(context.workspace_id, started);
  return started;
}

const keyOf = (service: string, position: string, number: number): string => `${service} ${position}.${number}`;

/** Returns the changes among these that the caller may see, in their order. */
async function describe(rpc: Rpc, sequence: Sequence, changes: readonly StoredChange[]): Promise<SeenChange[]> {
  const described = new Map<string, DescribedChange>();
  await Promise.all(
    [...Map.groupBy(changes, ({ service }) => service)].map(async ([service, own]) => {
      const references = own.map(({ position, number, record_type, record_id }) => ({
        position,
        number,
        record_type,
        record_id,
      }));
      const reply = await rpc[`${service}.records`].describeChanges({ changes: references });
      for (const change of reply.changes) described.set(keyOf(service, change.position, change.number), change);
    }),
  );
  return changes.flatMap(({ service, position, number, sequence: place, record_type, record_id }) => {
    const change = described.get(keyOf(service, position, number));
    return change ? [{ ...change, record_type, record_id, cursor: cursorOf(sequence, place) }] : [];
  });
}

interface Step {
  sequence: Sequence;
  /** The next changes of the requested types. */
  changes: StoredChange[];
  /** The cursor of the last examined change. */
  cursor: string;
  /** True if more changes are stored. */
  has_more: boolean;
}

/**
 * Reads the next stored changes after a cursor, or from the oldest one that is kept.
 * @throws CursorExpired, or a 422 that names `after`
 */
async function readStep(derive: Derive, after: string | undefined, { types, limit }: FeedRequest): Promise<Step> {
  return await derive(async (db) => {
    const sequence = await openSequence(db);
    const start = after === undefined ? sequence.removed_sequence : sequenceOf(after, sequence);
    const rows = await storedAfter(db, start, SCANNED);
    const matching = rows.filter(({ record_type }) => !types || types.includes(record_type));
    const changes = matching.slice(0, limit);
    const isCut = matching.length > limit;
    const reached = (isCut ? changes.at(-1) : rows.at(-1))?.sequence ?? start;
    return { sequence, changes, cursor: cursorOf(sequence, reached), has_more: isCut || rows.length === SCANNED };
  });
}

/** Reads the next changes after a cursor. Merges new ones if fewer are stored than requested. */
async function readOrMerge(context: FeedContext, after: string | undefined, request: FeedRequest): Promise<Step> {
  const step = await readStep(context.derive, after, request);
  if (step.has_more || step.changes.length >= request.limit) return step;
  const { revision, is_new, has_more } = await mergeShared(context, step.sequence);
  if (!is_new && revision === step.sequence.revision) return step;
  const next = await readStep(context.derive, after, request);
  return { ...next, has_more: has_more || next.has_more };
}

/**
 * Returns an empty page at the present end of all journals.
 * @throws Unavailable while the changes of the last 30 days are added, which the first request of a workspace begins
 */
async function readEnd(context: FeedContext): Promise<FeedPage> {
  const end = performance.now() + PREPARED_WITHIN_MS;
  let sequence = await context.derive(openSequence);
  for (;;) {
    const { is_new, has_more } = await mergeShared(context, sequence);
    if (is_new) sequence = await context.derive(openSequence);
    if (!has_more) return { changes: [], cursor: cursorOf(sequence, sequence.last_sequence), has_more };
    if (performance.now() > end) throw Unavailable();
  }
}

/**
 * Returns the next changes after a cursor, or from the oldest one that is kept.
 * @throws CursorExpired, a 422 that names `after`, or Unavailable
 */
export async function readFeed(context: FeedContext, request: FeedRequest): Promise<FeedPage> {
  if (request.after === 'now') return await readEnd(context);
  let { after } = request;
  for (let steps = 0; ; steps += 1) {
    const { sequence, cursor, has_more, changes: stored } = await readOrMerge(context, after, request);
    after = cursor;
    const changes = await describe(context.rpc, sequence, stored);
    if (changes.length > 0 || !has_more || steps === EMPTY_STEPS) return { changes, cursor, has_more };
  }
}
