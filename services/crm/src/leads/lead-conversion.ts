/** Conversion of a lead to a deal: once, with its client and the data to copy. */
import { randomUUIDv7 } from 'node:crypto';
import { checkConstraints, find, join, sql, type Sql } from '@suite/chassis/database';
import { fault, invalid, NotFound, faultUnder } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { LeadConverted } from '@suite/proto/crm/v1/events';
import type { NewClient } from '@suite/proto/crm/v1/parts';
import type { EnsureClientUserRequest } from '@suite/proto/platform/v1/platform';
import { lockCard } from '../pipeline/board/locks.ts';
import { createDeal } from '../deals/deal.ts';
import { addActivity } from '../pipeline/board/timeline.ts';
import {
  type Column,
  columnNamed,
  type CommandContext,
  type Db,
  type Read,
  type Rpc,
  type Table,
  tableNamed,
  type Write,
} from '../operations.ts';
import { fetchClients, type PlatformUser } from '@suite/user-copies';
import type { LeadConversion } from './lead-conversion.schema.ts';
import { leadBoard, leadStates } from '../pipeline/board/lead-board.ts';

/** Fault of platform if the address of a new client belongs to an account of another workspace. */
export const EmailTaken = fault(
  409,
  'email_taken',
  'This e-mail address belongs to another account. Enter another address.',
);

/** Fault for a client who has already chosen a password. Other users cannot replace it. */
export const ClientHasAccount = fault(
  422,
  'client_has_account',
  'This client already has an account. Omit the password.',
);

interface Prospect {
  id: string;
  status: string;
  email: string | null;
  phone: string | null;
  converted_deal_id: string | null;
}

/** Returns the lead before its conversion. @throws NotFound */
async function readProspect(db: Db, id: string): Promise<Prospect> {
  const [lead] = await db.rows<Prospect>(sql`
    SELECT id, status, email, phone, converted_deal_id FROM leads WHERE id = ${id}::uuid`);
  if (!lead) throw NotFound();
  return lead;
}

/**
 * Returns the client with this address. Chosen: phone numbers do not identify a person, since families and
 * companies share them. A lead lists the clients with its number as `possible_clients` instead.
 */
async function matchingClient(db: Db, email: string | null): Promise<PlatformUser | undefined> {
  const [client] = await db.rows<PlatformUser>(sql`
    SELECT id AS user_id, name, coalesce(email, '') AS email, kind, status, coalesce(phone, '') AS phone FROM users
    WHERE kind = 'client' AND status <> 'former' AND email = ${email} ORDER BY id LIMIT 1`);
  return client;
}

/** Prepared data for a conversion. */
export interface PreparedConversion {
  /** Deal that the lead was already converted to. */
  deal_id: string | null;
  clients: PlatformUser[];
  /** Client that platform created for this conversion, hidden until the conversion is confirmed. */
  new_client?: NewClient | undefined;
}

interface PrepareContext {
  caller: Caller;
  read: Read;
  write: Write;
  rpc: Rpc;
}

/** Error that rolls back a dry run. */
class DryRunRollback extends Error {}

/**
 * Runs the conversion with a placeholder client and rolls it back. Conversions that crm rejects therefore fail before
 * platform is called.
 * @returns the deal if another user has converted the lead concurrently
 */
async function convertAsDryRun(
  { write, caller }: PrepareContext,
  id: string,
  conversion: LeadConversion,
): Promise<string | null> {
  const placeholder = {
    user_id: randomUUIDv7(),
    name: 'Nobody',
    email: '',
    phone: '',
    kind: 'client',
    status: 'invited',
  };
  let known: string | null = null;
  const attempt = write(async (db, emit) => {
    const found = await convertLead({ db, caller, emit }, id, conversion, { deal_id: null, clients: [placeholder] });
    await checkConstraints();
    known = found.created ? null : found.deal_id;
    throw new DryRunRollback();
  });
  await attempt.catch((error: unknown) => {
    if (!(error instanceof DryRunRollback)) throw error;
  });
  return known;
}

/**
 * Requests a client user from platform. Each attempt has its own key, so that it never gets the response to another
 * request. Platform returns the same user for the same address.
 */
async function requestClient(rpc: Rpc, request: Omit<EnsureClientUserRequest, 'idempotency_key'>) {
  const idempotency_key = randomUUIDv7();
  const response = await rpc.platform.ensureClientUser({ idempotency_key, ...request }).catch((error: unknown) => {
    throw faultUnder('client', error);
  });
  const user = response.user!;
  const { user_id, name, email, phone } = user;
  return {
    clients: [user],
    new_client: response.created ? { idempotency_key, user_id, name, email, phone } : undefined,
  };
}

/**
 * Determines the client. Platform is asked to create a user only for a conversion that would succeed. The user is
 * visible only after the conversion.
 */
export async function prepareConversion(
  context: PrepareContext,
  id: string,
  conversion: LeadConversion,
): Promise<PreparedConversion> {
  const { read, rpc } = context;
  const { client } = conversion;
  const lead = await read((db) => readProspect(db, id));
  if (lead.status !== 'open') return { deal_id: lead.converted_deal_id, clients: [] };
  if (client && 'id' in client) return { deal_id: null, clients: await fetchClients(rpc, { client: client.id }) };
  const { email, phone } = client ? { email: client.email, phone: client.phone ?? lead.phone } : lead;
  const known = await read((db) => matchingClient(db, email));
  if (known && client?.password !== undefined) throw ClientHasAccount({ field: 'client.password' });
  if (known || !client) return { deal_id: null, clients: known ? [known] : [] };
  const deal_id = await convertAsDryRun(context, id, conversion);
  if (deal_id) return { deal_id, clients: [] };
  const { name, email: address, password = '' } = client;
  return { deal_id, ...(await requestClient(rpc, { name, email: address, phone: phone ?? '', password })) };
}

/**
 * Converts a lead. A second call returns the deal of the first.
 * @throws InvalidTransition when the lead is lost, NoPipeline
 */
export async function convertLead(
  context: CommandContext,
  id: string,
  { deal_name, price, copy, client: _, ...place }: LeadConversion,
  { deal_id: known, clients, new_client }: PreparedConversion,
): Promise<{ created: boolean; deal_id: string }> {
  if (known) return { created: false, deal_id: known };
  const { db, caller, emit } = context;
  if (copy.includes('products') && (place.currency ?? caller.currency) !== caller.currency) {
    throw invalid(
      'copy',
      'The products of the lead have prices in another currency. Choose that currency for the deal.',
    );
  }
  await lockCard(db, leadBoard, id);
  const deal_id = randomUUIDv7();
  const now = clock.now();
  const becomes = { converted_at: now, converted_deal_id: deal_id, last_activity_at: now };
  const converts = await leadStates.move(db.lead, id, 'convert', becomes, caller);
  const lead = await find(db.lead, id);
  if (!converts) return { created: false, deal_id: lead.converted_deal_id as string };

  const shared = await db.leadUser.findMany({ where: { lead_id: id }, select: { user_id: true } });
  const client_ids = clients.map(({ user_id }) => user_id);
  await createDeal(
    context,
    {
      ...place,
      pipeline_id: place.pipeline_id ?? lead.pipeline_id,
      name: deal_name ?? lead.name,
      price: price ?? lead.expected_value?.toFixed() ?? '0',
      phone: lead.phone,
      // Chosen: users who worked on the lead also work on the deal.
      user_ids: [lead.owner_id, ...shared.map(({ user_id }) => user_id)],
      client_ids,
    },
    { people: clients },
    { id: deal_id, lead_id: id },
  );
  for (const part of new Set(copy)) await db.rows(copies[part](id, deal_id));
  await addActivity(db, { lead_id: id }, 'converted', { deal_id });
  emit(LeadConverted, { lead_id: id, deal_id, client_ids, new_client });
  return { created: true, deal_id };
}

/** Returns a function that copies the rows of a table from the lead to the deal. */
const copyOf =
  <Name extends Table>(name: Name, columns: readonly (Column<Name> & Column)[], condition = sql`TRUE`) =>
  (lead_id: string, deal_id: string): Sql => {
    const table = tableNamed(name);
    const copied = join(columns.map((column) => (column === 'to' ? sql`"to"` : columnNamed(column))));
    return sql`
      INSERT INTO ${table} (id, deal_id, created_by, created_at, ${copied})
      SELECT suite_uuid7(), ${deal_id}::uuid, created_by, created_at, ${copied} FROM ${table}
      WHERE lead_id = ${lead_id}::uuid AND ${condition}`;
  };

const copies = {
  products: (lead_id: string, deal_id: string): Sql => sql`
    INSERT INTO deal_products (deal_id, product_id, name, qty, price)
    SELECT ${deal_id}::uuid, product_id, name, qty, price FROM lead_products WHERE lead_id = ${lead_id}::uuid`,
  sources: (lead_id: string, deal_id: string): Sql => sql`
    INSERT INTO deal_sources (deal_id, source_id)
    SELECT ${deal_id}::uuid, source_id FROM lead_sources WHERE lead_id = ${lead_id}::uuid`,
  // The stored object is shared. It is deleted with the last row that references it.
  files: copyOf('files', ['key', 'name', 'size', 'mime']),
  discussions: copyOf('discussions', ['comment']),
  calls: copyOf('calls', ['subject', 'type', 'at', 'duration_seconds', 'assignee_id', 'description', 'result']),
  // Chosen: queued e-mails stay with the lead only. A copy would be sent a second time.
  emails: copyOf(
    'emails',
    ['to', 'cc', 'subject', 'body', 'delivery', 'attempts', 'sent_at', 'failure'],
    sql`delivery <> 'queued'`,
  ),
};
