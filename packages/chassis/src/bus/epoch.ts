/**
 * Epochs: a database, its stream and its events carry the same number, which a restore increases. Consumers would otherwise
 * read events of records that a restored database does not have.
 * Chosen: the number is in the description of a stream, because NATS before 2.10 stores no metadata of streams.
 */
import * as jetstream from 'nats';

/** Header of an event with the epoch of the database that published it. */
export const EPOCH_HEADER = 'Suite-Epoch';
/** Epoch of a suite that was never restored. Streams and events of releases without epochs belong to it as well. */
export const FIRST_EPOCH = 1;

const WEEK_MS = 7 * 86_400_000;
const NAME_IN_USE = 10_058;
/** The description of a stream: this, and its epoch. */
const DESCRIPTION = 'Epoch ';

/** Returns the stream of a service's events: `platform.user.deleted` is in PLATFORM. */
export const streamOf = (subject: string): string => subject.slice(0, subject.indexOf('.')).toUpperCase();

/** Returns the number in a text, or undefined for any other text. */
const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Returns the epoch of an event. */
export const epochOfEvent = (headers: jetstream.MsgHdrs | undefined): number =>
  numberIn(headers?.get(EPOCH_HEADER)) ?? FIRST_EPOCH;

/** Returns the epoch of a stream. Undefined for a stream without an event that an operator has created. */
export function epochOfStream({ config: { description = '' }, state }: jetstream.StreamInfo): number | undefined {
  const known = description.startsWith(DESCRIPTION) ? numberIn(description.slice(DESCRIPTION.length)) : undefined;
  return known ?? (state.last_seq === 0 ? undefined : FIRST_EPOCH);
}

/** The bus and the database of a process belong to different epochs. The message contains the next step for an operator. */
export class AnotherEpoch extends Error {
  constructor(stream: string, { found, own }: { found: number; own: number }) {
    super(
      found < own
        ? `The bus is older than this restored database (stream ${stream} has epoch ${found}, not ${own}): stop NATS, delete its data, and start it again`
        : `This database is older than the bus (epoch ${own}, but stream ${stream} has ${found}): set DATABASE_URL to the current database, ` +
            'or complete its restore with a new epoch and an empty bus ("Backups" in docs/operating.md)',
    );
  }
}

/** @throws AnotherEpoch if a stream has another epoch than the database */
export function assertEpoch(stream: string, found: number | undefined, own: number): void {
  if (found !== undefined && found !== own) throw new AnotherEpoch(stream, { found, own });
}

/** Settings of a stream that a service creates. */
export interface StreamSettings {
  /** The epoch of the database. */
  epoch: number;
  /** Number of servers that keep each message. */
  replicas: number | undefined;
}

/**
 * Creates the stream of a service's own events unless it exists. An existing stream keeps its limits, which an operator may
 * have chosen, except for a given number of replicas.
 * @throws AnotherEpoch if the stream has another epoch
 */
export async function ensureStream(
  nats: jetstream.NatsConnection,
  name: string,
  { epoch, replicas }: StreamSettings,
): Promise<void> {
  const { streams } = await nats.jetstreamManager({ checkAPI: false });
  const description = `${DESCRIPTION}${epoch}`;
  const limits = {
    max_age: jetstream.nanos(WEEK_MS),
    duplicate_window: jetstream.nanos(120_000),
    num_replicas: replicas ?? 1,
  };
  const stream = { name, description, subjects: [`${name.toLowerCase()}.>`], storage: jetstream.StorageType.File };
  await streams.add({ ...stream, ...limits }).catch((error: unknown) => {
    if ((error as jetstream.NatsError).api_error?.err_code !== NAME_IN_USE) throw error;
  });
  const existing = await streams.info(name);
  const found = epochOfStream(existing);
  assertEpoch(name, found, epoch);
  if (replicas !== undefined && existing.config.num_replicas !== replicas)
    await streams.update(name, { num_replicas: replicas });
  if (found === undefined) await streams.update(name, { description });
}
