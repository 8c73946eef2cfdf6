/** Events: what a service emits, and the format for transport. */
import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '../runtime/fault.ts';

/** A protobuf message as ts-proto generates it, with its name in `$type` (`suite.crm.v1.LeadConverted`). */
export interface EventMessage<T> {
  readonly $type: string;
  fromPartial(object: object): T;
  fromJSON(object: unknown): T;
}

/** Emits an event. It is written in the transaction and published after the commit. */
export type Emit = <T>(event: EventMessage<T>, value: T) => void;

/** An event that is published after its transaction commits. */
export interface PendingEvent {
  id: string;
  type: string;
  schema_version: string;
  aggregate_id: string;
  data: object;
}

/**
 * The transport format of an event: one JSON object, published on a subject with the name of the event. Unknown fields
 * are ignored.
 */
const EnvelopeFields = z.object({
  id: z.uuid(),
  type: z.string(),
  schema_version: z.string(),
  workspace_id: z.uuid(),
  aggregate_id: z.uuid(),
  /** Position in the journal of the sender. Later events of a record have higher positions. */
  position: z.int().positive(),
  occurred_at: z.iso.datetime(),
  actor: z.record(z.string(), z.unknown()).nullable(),
  trace_id: z.string().nullable(),
  /** The request that caused the event. Null or absent in events of earlier releases. */
  request_id: z.string().nullish(),
  data: z.record(z.string(), z.unknown()),
});
export type Envelope = z.output<typeof EnvelopeFields>;

/** Reads events of the previous release, whose positions are numbers within their aggregate and lower than all others. */
const withPosition = (received: unknown): unknown =>
  typeof received === 'object' && received !== null && 'aggregate_version' in received
    ? { position: received.aggregate_version, ...received }
    : received;

/** The transport format of an event, as received. */
export const Envelope = z.preprocess(withPosition, EnvelopeFields);

/** The fields that every event must have. */
export const Address = EnvelopeFields.pick({ id: true, workspace_id: true, aggregate_id: true });

/** Splits the name of a message into its parts. @throws if it violates the rule of `eventName` */
function parts({ $type, fromPartial }: EventMessage<unknown>) {
  const [, service, version, name] = /^suite\.(\w+)\.(v\d+)\.(\w+)$/.exec($type) ?? [];
  const [field = ''] = Object.keys(fromPartial({}) as object);
  const aggregate = field.replace(/_id$/, '');
  const happening = name?.replaceAll(/(?!^)[A-Z]/g, '_$&').toLowerCase();
  if (!service || !version || !happening) throw new Error(`${$type} is not in a package like \`suite.crm.v1\`.`);
  if (aggregate === field) throw new Error(`The first field of ${$type} must name its aggregate, as in \`lead_id\`.`);
  if (!happening.startsWith(`${aggregate}_`)) throw new Error(`${$type} must begin with its aggregate, ${aggregate}.`);
  return { service, version, field, aggregate, verb: happening.slice(aggregate.length + 1) };
}

/**
 * Returns the name of an event: `suite.crm.v1.LeadConverted`, whose first field is `lead_id`, is `crm.lead.converted`.
 */
export function eventName(message: EventMessage<unknown>): string {
  const { service, aggregate, verb } = parts(message);
  return `${service}.${aggregate}.${verb}`;
}

/** Returns the version of an event's schema: `v1`. Producers only add fields. A breaking change needs a new event. */
export const schemaVersion = (message: EventMessage<unknown>): string => parts(message).version;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Converts a message to its format in the journal. @throws a 422 for a record whose ID is not a UUID */
export function pending<T>(message: EventMessage<T>, value: T): PendingEvent {
  const aggregate_id = (value as Record<string, unknown>)[parts(message).field];
  if (typeof aggregate_id !== 'string' || aggregate_id === '')
    throw new Error(`${message.$type} does not name its record.`);
  if (!UUID.test(aggregate_id)) throw invalid('body', 'A value does not have the format of its field.');
  // `toJSON` would write field names in camel case.
  const data = message.fromPartial(value as object) as object;
  return { id: randomUUIDv7(), type: eventName(message), schema_version: schemaVersion(message), aggregate_id, data };
}
