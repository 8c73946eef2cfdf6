/** A service: its table of contents. */
import type { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import type { Mailer } from '@suite/mail';
import type { Outgoing } from '@suite/outgoing';
import type { TsProtoServiceDefinition } from 'nice-grpc';
import type { ServiceConfig } from './runtime/config.ts';
import type { Consumer } from './messaging/consume.ts';
import type { Database } from './database/database.ts';
import type { Visibility } from './visibility/visibility.ts';
import type { Storage } from './operation/storage.ts';
import type { Caller, Keys } from './identity/identity.ts';
import { actionFields, type Life } from './lifecycle/lifecycle.ts';
import type { Log } from './runtime/log.ts';
import { assertDone, assertOwners } from './actions.ts';
import type { Operation } from './operation/operation.ts';
import type { ServedRpc } from './rpc/rpc.ts';
import type { Schedule } from './schedules/schedule.ts';
import { assertRelations } from './references/guards.ts';
import type { Owned, Reference } from './references/reference.ts';
import { checkedElsewhere, foreignIds, tables } from './schema/fields.ts';
import { marked } from './schema/schema-walk.ts';

/** The tools of a schedule. */
export interface Tools<Db = unknown, Rpc = unknown> {
  database: Database<Db>;
  storage: Storage;
  mailer: Mailer;
  /** The way to servers outside, whose addresses customers have set. */
  outgoing: Outgoing;
  log: Log;
  config: ServiceConfig;
  /** The keys of the process, for what is sealed. */
  keys: Keys;
  /** The services that it calls, on behalf of somebody or, with null, of itself. */
  rpc(caller: Caller | null, request_id: string, ends_at?: number): Rpc;
  /** Given to scheduled work: whatever goes on for long begins nothing new once it is aborted. */
  stopping?: AbortSignal;
}

/** The table of contents of a service. */
export interface Service {
  /** Also the name of its database, its role, its key and its events. */
  name: string;
  /** Makes the generated Prisma client on the adapter. */
  client: (adapter: PrismaPg) => object;
  /** The `.api.ts` modules by the noun that begins the ids of their operations. */
  operations: Record<string, object>;
  /** The visibility of the rows of each of its tables; a table without one stops the service at start. */
  visibility: readonly Visibility[];
  /** Drawn in docs/states.md. The start fails when an action of one is performed by nothing. */
  lifecycles?: readonly Life[];
  rpc?: readonly ServedRpc[];
  consumers?: readonly Consumer[];
  schedules?: readonly Schedule<never>[];
  /** The gRPC definitions of the services that it calls. */
  calls?: Record<string, TsProtoServiceDefinition>;
  /** The columns that store IDs of other services' records. */
  references?: readonly Reference[];
  /** The kinds of its records whose IDs other services store. */
  owns?: readonly Owned[];
}

/** The names of the services that a service calls, those that it asks before it deletes something among them. */
export const calledBy = ({ calls = {}, owns = [] }: Pick<Service, 'calls' | 'owns'>): string[] => [
  ...new Set([...Object.keys(calls), ...owns.flatMap(({ referrers }) => referrers)]),
];

/** The operations of a service, or of the gateway, under its name. */
export type DeclaredOperations = Pick<Service, 'name' | 'operations'>;

/** The ids in a body; whether it is declared who makes sure that the caller may see what they name. */
const idsIn = marked((field) =>
  tables.get(field) || checkedElsewhere.get(field) || foreignIds.get(field)
    ? true
    : field instanceof z.ZodUUID
      ? false
      : undefined,
);

/**
 * Makes sure that each id in a body says what it names: a rule that forgets to ask whether the caller may see a record would
 * work on it for anybody who knows its id.
 */
function assertIdsDeclared(id: string, { body }: Operation): void {
  const forgotten = body && idsIn(body).find(({ mark }) => !mark);
  if (forgotten)
    throw new Error(
      `The body of ${id} has the id ${forgotten.path.join('.')}: declare it as idOf, refTo, foreignId or idCheckedBy.`,
    );
}

/** @throws when an operation of a module accepts a token without a check that its workspace has the module */
function assertTokensChecked(contents: Service): void {
  for (const [id, { access, module, path }] of operationsOf(contents)) {
    if (access.kind !== 'public' || module === undefined || access.token) continue;
    if ((access.link && path.includes('token}')) || access.bearer)
      throw new Error(`${id} accepts a token: declare how its workspace is looked up.`);
  }
}

const actionsShownIn = marked((field) => actionFields.get(field)?.noun);

/** Makes sure that every action can be done, and that what answers show are the actions of a life of this service. */
function assertActions(contents: Service): void {
  const { lifecycles = [], rpc = [], consumers = [], schedules = [] } = contents;
  const operations = operationsOf(contents);
  const methods = rpc.flatMap(({ declared = {} }) => Object.keys(declared));
  assertTokensChecked(contents);
  assertOwners(lifecycles, contents.visibility);
  assertDone(lifecycles, operations, [...methods, ...[...consumers, ...schedules].map(({ name }) => name)]);
  for (const [id, { reply }] of operations) {
    const unknown = actionsShownIn(reply.schema).find(({ mark }) => !lifecycles.some(({ noun }) => noun === mark));
    if (unknown) throw new Error(`${id} shows the actions of ${unknown.mark}: list it in \`lifecycles\`.`);
  }
}

/**
 * Declares a service.
 * @throws when two of its operations share a route, a body has an id that names nothing or is not checked, or nobody does an action
 */
export function service(contents: Service): Service {
  for (const [id, operation] of operationsOf(contents)) {
    assertIdsDeclared(id, operation);
    assertRelations(id, operation, contents);
  }
  assertActions(contents);
  return contents;
}

/** A service's operations by their ids: `leads.convert`. */
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
