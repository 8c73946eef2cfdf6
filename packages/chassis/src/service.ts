/** The declaration of a service. */
import type { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import type { Mailer } from '@suite/mail';
import type { Outgoing } from '@suite/outbound-http';
import type { TsProtoServiceDefinition } from 'nice-grpc';
import type { ServiceConfig } from './runtime/config.ts';
import type { Consumer } from './messaging/consume.ts';
import type { Database } from './database/database.ts';
import type { Visibility } from './visibility/visibility.ts';
import type { Storage } from './storage/storage.ts';
import type { Caller, Keys } from './identity/identity.ts';
import type { LifecycleDiagram } from './lifecycle/lifecycle.ts';
import { actionsShownIn } from './lifecycle/shown-actions.ts';
import type { Log } from './runtime/log.ts';
import { assertActionsPerformed, assertOwners } from './actions.ts';
import type { RecordType } from './history/record-type.ts';
import type { Operation } from './operation/operation.ts';
import { type ServedRpc, serviceOfClient } from './rpc/rpc.ts';
import type { Schedule } from './schedules/schedule.ts';
import { assertRelations } from './references/guards.ts';
import type { CopiedKind, PublishedKind } from './references/copy.ts';
import type { OwnedKind, Reference } from './references/reference.ts';
import { checkedElsewhere, foreignIds, tables } from './schema/fields.ts';
import { marked } from './schema/schema-walk.ts';

/** The dependencies of a schedule. */
export interface JobContext<Db = unknown, Rpc = unknown> {
  database: Database<Db>;
  storage: Storage;
  mailer: Mailer;
  /** The client for external servers, whose URLs customers have set. */
  outgoing: Outgoing;
  log: Log;
  config: ServiceConfig;
  /** Keys of the process, for encrypted values. */
  keys: Keys;
  /** Returns the clients of the called services, on behalf of a caller or, with null, of the service itself. */
  rpc(caller: Caller | null, request_id: string, ends_at?: number): Rpc;
  /** Passed to scheduled work. Long-running work starts nothing new after the signal is aborted. */
  stopping?: AbortSignal;
}

/** The parts of a service. */
export interface Service {
  /** The name of the service, and of its database, role, key and events. */
  name: string;
  /** Creates the generated Prisma client on the adapter. */
  client: (adapter: PrismaPg) => object;
  /** The `.api.ts` modules by the noun in the IDs of their operations. */
  operations: Record<string, object>;
  /** The visibility rule of each table. A table without one prevents the start. */
  visibility: readonly Visibility[];
  /** The lifecycles, drawn in docs/states.md. An action that nothing performs prevents the start. */
  lifecycles?: readonly LifecycleDiagram[];
  rpc?: readonly ServedRpc[];
  consumers?: readonly Consumer[];
  schedules?: readonly Schedule<never>[];
  /** The gRPC definitions of the services that this service calls: `crm`, or `crm.records` for another gRPC service of crm. */
  calls?: Record<string, TsProtoServiceDefinition>;
  /** The columns that store IDs of other services' records. */
  references?: readonly Reference[];
  /** The kinds of own records whose IDs other services store. */
  owns?: readonly OwnedKind[];
  /** The published fields of own records, for the copies of other services. */
  publishes?: readonly PublishedKind[];
  /** The columns that store copies of other services' records. */
  copies?: readonly CopiedKind[];
  /** The types of records whose changes users can read. */
  records?: readonly RecordType[];
  /** The services that may ask for these changes. */
  record_readers?: readonly string[];
  /** The remote steps of the service's sagas. */
  steps?: readonly DeclaredStep[];
}

/** A remote step of a saga, for the auditor and for repairs after a restore. */
export interface DeclaredStep {
  name: string;
  /** The called service, and the columns of an attempt that each of the called methods implies. */
  asks: { service: string; methods: Readonly<Record<string, object>> };
  /** The table of attempts, with the columns of the record and of the attempt number, and its states. */
  table: {
    name: string;
    record: string;
    attempt: string;
    states: Readonly<Record<'requested' | 'completed' | 'undoing' | 'undone', string>>;
  };
  /**
   * For an effect that the called service can delete, SQL over the row `given`: the condition of the completed attempts
   * whose effect must exist, and the ID of the record whose deletion event ends the effect.
   */
  lasting?: { condition: string; record: string };
  /** Returns the idempotency key of an attempt. */
  key(record_id: string, attempt: number | 'dry_run'): string;
  /** True if the request can be made again from the stored records. */
  is_repeatable: boolean;
}

/** Returns the names of the services that a service calls, including the services that it asks before a deletion. */
export const calledServices = ({ calls = {}, owns = [] }: Pick<Service, 'calls' | 'owns'>): string[] => [
  ...new Set([...Object.keys(calls).map(serviceOfClient), ...owns.flatMap(({ referrers }) => referrers)]),
];

/** The operations of a service or of the gateway, with its name. */
export type DeclaredOperations = Pick<Service, 'name' | 'operations'>;

/** Returns the IDs in a body, with whether their visibility check is declared. */
const idsIn = marked((field) =>
  tables.get(field) || checkedElsewhere.get(field) || foreignIds.get(field)
    ? true
    : field instanceof z.ZodUUID
      ? false
      : undefined,
);

/**
 * Checks that each ID in a body declares what it names. Without that, a rule might skip the visibility check and accept
 * a record from anyone who knows its ID.
 */
function assertIdsDeclared(id: string, { body }: Operation): void {
  const forgotten = body && idsIn(body).find(({ mark }) => !mark);
  if (forgotten)
    throw new Error(
      `The body of ${id} has the ID ${forgotten.path.join('.')}: declare it as idOf, refTo, foreignId or idCheckedBy.`,
    );
}

/**
 * @throws when an operation of a module accepts a token without a check that its workspace has the module, or receives
 * files before its token is checked
 */
function assertTokensChecked(contents: Service): void {
  for (const [id, { access, module, path, upload, message }] of operationsOf(contents)) {
    if (access.kind !== 'public') continue;
    if ((upload || message) && !access.signed && !access.token?.find)
      throw new Error(`${id} is public and receives files: declare how its token is found.`);
    if (module === undefined || access.token) continue;
    if ((access.link && path.includes('token}')) || access.bearer)
      throw new Error(`${id} accepts a token: declare how its workspace is looked up.`);
  }
}

/** Checks that every action has an operation, and that responses show actions of the service's own lifecycles. */
function assertActions(contents: Service): void {
  const { lifecycles = [], rpc = [], consumers = [], schedules = [] } = contents;
  const operations = operationsOf(contents);
  const methods = rpc.flatMap(({ declared = {} }) => Object.keys(declared));
  assertTokensChecked(contents);
  assertOwners(lifecycles, contents.visibility);
  assertActionsPerformed(lifecycles, operations, [...methods, ...[...consumers, ...schedules].map(({ name }) => name)]);
  for (const [id, { reply }] of operations) {
    const unknown = actionsShownIn(reply.schema).find(({ mark }) => !lifecycles.some(({ noun }) => noun === mark.noun));
    if (unknown) throw new Error(`${id} shows the actions of ${unknown.mark.noun}: list it in \`lifecycles\`.`);
  }
}

/**
 * Declares a service.
 * @throws if operations share a route, an ID in a body is undeclared or unchecked, or an action has no actor
 */
export function service(contents: Service): Service {
  for (const [id, operation] of operationsOf(contents)) {
    assertIdsDeclared(id, operation);
    assertRelations(id, operation, contents);
  }
  assertActions(contents);
  return contents;
}

/** Returns a service's operations by ID: `leads.convert`. */
export function operationsOf({ name, operations }: DeclaredOperations): Map<string, Operation> {
  const found = new Map<string, Operation>();
  const routes = new Set<string>();
  for (const [noun, module] of Object.entries(operations)) {
    for (const [verb, value] of Object.entries(module)) {
      const operation = value as Partial<Operation> | null;
      if (typeof operation?.handle !== 'function' || !operation.path) continue;
      const route = `${operation.method} ${operation.path}`;
      if (routes.has(route)) throw new Error(`${name} declares ${route} twice.`);
      routes.add(route);
      found.set(`${noun}.${verb}`, operation as Operation);
    }
  }
  return found;
}
