/** Reads streams over one connection to NATS. */
import { randomUUID } from 'node:crypto';
import * as jetstream from 'nats';
import { deadline } from '../runtime/config.ts';
import { fault } from '../runtime/fault.ts';
import { epochOfEvent, epochOfStream, streamOf } from './epoch.ts';

/** An event in the stream of its service. */
export interface StreamMessage {
  /** The position in the stream, always increasing. */
  position: number;
  payload: string;
  /** The epoch of the database that published the event. */
  epoch: number;
}

/** Current state of a stream. */
export interface StreamState {
  /** Creation time. Distinguishes the stream from a later stream of the same name. */
  created: string;
  /** The position of the newest message; 0 if the stream has had none. */
  last: number;
  /** Undefined for a stream without a message that an operator has created. */
  epoch: number | undefined;
}

/** Number of messages in one read. */
export const BATCH = 200;
/** Number of messages read one by one first. Usually none follow, and a consumer would cost more. */
const FEW = 3;
const PATIENCE_MS = deadline(5_000);
const WEEK_MS = 7 * 86_400_000;
const NOT_FOUND = '404';

export const BusUnavailable = fault(503, 'bus_unavailable', 'The message bus is unavailable. Try again shortly.');

/** Returns undefined for a resource that does not exist. */
const ignoreMissing = (error: unknown): undefined => {
  if ((error as jetstream.NatsError).code !== NOT_FOUND) throw error;
};

/** A connection with the subject prefix for its answers. */
export interface StreamConnection {
  nats: jetstream.NatsConnection;
  inbox_prefix: string;
}

const managerOf = ({ nats }: Pick<StreamConnection, 'nats'>) =>
  nats.jetstreamManager({ checkAPI: false, timeout: PATIENCE_MS });

/** Returns the state of a stream. Undefined if it does not exist. */
export async function readState(
  connection: Pick<StreamConnection, 'nats'>,
  stream: string,
): Promise<StreamState | undefined> {
  const { streams } = await managerOf(connection);
  const found = await streams.info(stream).catch(ignoreMissing);
  return found && { created: found.created, last: found.state.last_seq, epoch: epochOfStream(found) };
}

/**
 * Returns the first messages of a subject after a position. Returns fewer than `BATCH` only if there are no further
 * messages.
 * @param last end of the stream, if the caller has just read it
 * @throws BusUnavailable if the read is interrupted. Partial results are discarded
 */
export async function readMessages(
  connection: StreamConnection,
  { subject, after, last }: { subject: string; after: number; last: number | undefined },
): Promise<StreamMessage[]> {
  const { streams } = await managerOf(connection);
  const stream = streamOf(subject);
  const messages: StreamMessage[] = [];
  let end = last;
  for (let from = after + 1; messages.length < FEW; ) {
    const request = { seq: from, next_by_subj: subject };
    const next = await streams.getMessage(stream, request).catch(ignoreMissing);
    if (!next) return messages;
    messages.push({ position: next.seq, payload: next.string(), epoch: epochOfEvent(next.header) });
    end ??= (await readState(connection, stream))?.last ?? 0;
    if (next.seq >= end) return messages;
    from = next.seq + 1;
  }
  return [...messages, ...(await readMany(connection, subject, messages.at(-1)!.position))];
}

/** Fetches the rest of a batch in one request, through a consumer that expires automatically. */
async function readMany(connection: StreamConnection, subject: string, after: number): Promise<StreamMessage[]> {
  const { nats, inbox_prefix } = connection;
  const { consumers } = await managerOf(connection);
  const stream = streamOf(subject);
  const name = randomUUID();
  const { num_pending } = await consumers.add(stream, {
    name,
    filter_subject: subject,
    opt_start_seq: after + 1,
    mem_storage: true,
    ack_policy: jetstream.AckPolicy.None,
    deliver_policy: jetstream.DeliverPolicy.StartSequence,
    inactive_threshold: jetstream.nanos(PATIENCE_MS),
  });
  const batch = Math.min(BATCH - FEW, num_pending);
  if (batch === 0) return [];
  const answers = nats.subscribe(jetstream.createInbox(inbox_prefix), { timeout: PATIENCE_MS });
  const request = JSON.stringify({ batch, no_wait: true });
  nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, request, { reply: answers.getSubject() });
  const messages: StreamMessage[] = [];
  for await (const message of answers) {
    if (message.headers?.code) break;
    // The reply subject contains the position in the stream as a token. The subject has a short and a long form.
    const tokens = message.reply?.split('.') ?? [];
    const position = Number(tokens[tokens.length === 9 ? 5 : 7]);
    messages.push({ position, payload: message.string(), epoch: epochOfEvent(message.headers) });
    if (messages.length === batch) break;
  }
  answers.unsubscribe();
  // A closed connection also ends the loop. Treating it as the end of the stream would skip the messages that were
  // not received.
  if (messages.length < batch) throw BusUnavailable();
  return messages;
}

/**
 * Returns the position up to which an earlier release has processed a subject. That release kept the position in
 * NATS, in a durable consumer. The consumer stays for replicas of that release. NATS removes it after a week without
 * requests.
 */
export async function readEarlierPosition(
  connection: StreamConnection,
  name: string,
  subject: string,
): Promise<number> {
  const { consumers } = await managerOf(connection);
  const [stream, durable] = [streamOf(subject), name.replaceAll('.', '_')];
  const known = await consumers.info(stream, durable).catch(ignoreMissing);
  if (!known) return 0;
  await consumers.update(stream, durable, { inactive_threshold: jetstream.nanos(WEEK_MS) });
  return known.ack_floor.stream_seq;
}
