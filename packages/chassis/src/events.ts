/** Events: what a service announces, and how it looks on the way. */
import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';

/** A protobuf message as ts-proto generates it, with its name in `$type` (`suite.crm.v1.LeadConverted`). */
export interface EventMessage<T> {
  readonly $type: string;
  fromPartial(object: object): T;
  fromJSON(object: unknown): T;
}

/** An event that waits for the end of its transaction. */
export interface PendingEvent {
  id: string;
  type: string;
  schema_version: string;
  aggregate_id: string;
  data: object;
}

/** An event as it travels: one JSON object on the subject that is its type. Fields we do not know yet are ignored. */
export const Envelope = z.object({
  id: z.uuid(),
  type: z.string(),
  schema_version: z.string(),
  workspace_id: z.uuid(),
  aggregate_id: z.uuid(),
  /** How many events this aggregate has announced up to this one. */
  aggregate_version: z.int().positive(),
  occurred_at: z.iso.datetime(),
  actor: z.record(z.string(), z.unknown()).nullable(),
  trace_id: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type Envelope = z.output<typeof Envelope>;

const snakeCase = (name: string): string => name.replaceAll(/(?!^)[A-Z]/g, '_$&').toLowerCase();

/** The first field of an event names its aggregate: `lead_id`. */
function aggregateField(message: EventMessage<unknown>): string {
  const [field] = Object.keys(message.fromPartial({}) as object);
  if (!field?.endsWith('_id'))
    throw new Error(`The first field of ${message.$type} must name its aggregate, as in \`lead_id\`.`);
  return field;
}

function parts(message: EventMessage<unknown>): [service: string, version: string, name: string] {
  const [, service, version, name] = /^suite\.(\w+)\.(v\d+)\.(\w+)$/.exec(message.$type) ?? [];
  if (!service || !version || !name) throw new Error(`${message.$type} is not in a package like \`suite.crm.v1\`.`);
  return [service, version, name];
}

/** The name of an event: `suite.crm.v1.LeadConverted`, whose first field is `lead_id`, is `crm.lead.converted`. */
export function eventName(message: EventMessage<unknown>): string {
  const [service, , name] = parts(message);
  const aggregate = aggregateField(message).slice(0, -'_id'.length);
  const happening = snakeCase(name);
  if (!happening.startsWith(`${aggregate}_`))
    throw new Error(`The name of ${message.$type} must begin with its aggregate, ${aggregate}.`);
  return `${service}.${aggregate}.${happening.slice(aggregate.length + 1)}`;
}

/** The version of an event's schema: `v1`. Producers only add fields to it; what breaks is a new event. */
export const schemaVersion = (message: EventMessage<unknown>): string => parts(message)[1];

/** Turns a message into what the outbox keeps. */
export function pending<T>(message: EventMessage<T>, value: T): PendingEvent {
  const aggregate_id = (value as Record<string, unknown>)[aggregateField(message)];
  if (typeof aggregate_id !== 'string' || aggregate_id === '')
    throw new Error(`${message.$type} does not say which record it is about.`);
  // Not `toJSON`: it would write the names of fields in camel case.
  const data = message.fromPartial(value as object) as object;
  return { id: randomUUIDv7(), type: eventName(message), schema_version: schemaVersion(message), aggregate_id, data };
}
