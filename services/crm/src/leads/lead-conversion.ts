/** A lead becomes a deal: once, with its client, and with what the deal should take along. */
import { randomUUIDv7 } from 'node:crypto';
import {
  type Caller,
  checkConstraints,
  clock,
  fault,
  find,
  invalid,
  join,
  NotFound,
  refusedUnder,
  sql,
  type Sql,
} from '@suite/chassis';
import { LeadConverted } from '@suite/proto/crm/v1/events';
import type { NewClient } from '@suite/proto/crm/v1/parts';
import type { EnsureClientUserRequest } from '@suite/proto/platform/v1/platform';
import { lockCard } from '../board/locks.ts';
import { createDeal } from '../deals/deal.ts';
import { addActivity } from '../board/timeline.ts';
import type { Db, Read, Rpc, CommandContext, Write } from '../operations.ts';
import { askForClients, type Person } from '@suite/users';
import type { LeadConversion } from './lead-conversion.schema.ts';
import { leadBoard, leadStates } from '../board/lead-board.ts';
import { type Column, columnNamed, type Table, tableNamed } from '../tables.ts';

/** Platform's fault when the address of a new client belongs to an account of another workspace. */
export const EmailTaken = fault(409, 'email_taken', 'This e-mail address belongs to another account.');

/** The client has chosen a password already, which a colleague cannot replace. */
export const ClientHasAccount = fault(
  422,
  'client_has_account',
  'This client already has an account. Leave out the password.',
);

interface Prospect {
  id: string;
  status: string;
  email: string | null;
  phone: string | null;
  converted_deal_id: string | null;
}

/** The lead as it is before its conversion. @throws NotFound */
async function prospect(db: Db, id: string): Promise<Prospect> {
  const [lead] = await db.rows<Prospect>(sql`
    SELECT id, status, email, phone, converted_deal_id FROM leads WHERE id = ${id}::uuid`);
  if (!lead) throw NotFound();
  return lead;
}

/**
 * The client with this address.
 * Chosen: a telephone number never makes two people one, since families and companies share numbers. A lead names the
 * clients with its number as `possible_clients` instead.
 */
async function matchingClient(db: Db, email: string | null): Promise<Person | undefined> {
  const [client] = await db.rows<Person>(sql`
    SELECT id AS user_id, name, coalesce(email, '') AS email, kind, status, coalesce(phone, '') AS phone FROM users
    WHERE kind = 'client' AND status <> 'former' AND email = ${email} ORDER BY id LIMIT 1`);
  return client;
}

/** The results of `prepare` for a conversion. */
export interface Preparation {
  /** The deal that the lead became already. */
  deal_id: string | null;
  clients: Person[];
  /** The client whom platform has made for this conversion alone, and keeps back until it is announced. */
  new_client?: NewClient | undefined;
}

interface PrepareContext {
  caller: Caller;
  read: Read;
  write: Write;
  rpc: Rpc;
}

/** Undoes a dry run. */
class Undone extends Error {}

/**
 * Tries a conversion with a client who is nobody, and undoes it: what crm refuses, it refuses before platform is asked.
 * @returns the deal that somebody else has made of the lead meanwhile
 */
async function convertAsDryRun(
  { write, caller }: PrepareContext,
  id: string,
  conversion: LeadConversion,
): Promise<string | null> {
  const nobody = { user_id: randomUUIDv7(), name: 'Nobody', email: '', phone: '', kind: 'client', status: 'invited' };
  let known: string | null = null;
  const tried = write(async (db, emit) => {
    const found = await convertLead({ db, caller, emit }, id, conversion, { deal_id: null, clients: [nobody] });
    await checkConstraints();
    known = found.created ? null : found.deal_id;
    throw new Undone();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return known;
}

/**
 * Has platform make a client. Each try has a key of its own, so that none is answered with what another one asked for;
 * platform gives all that ask for one address the same user.
 */
async function askForNewClient(rpc: Rpc, wanted: Omit<EnsureClientUserRequest, 'idempotency_key'>) {
  const idempotency_key = randomUUIDv7();
  const told = await rpc.platform.ensureClientUser({ idempotency_key, ...wanted }).catch((error: unknown) => {
    throw refusedUnder('client', error);
  });
  const user = told.user!;
  const { user_id, name, email, phone } = user;
  return { clients: [user], new_client: told.created ? { idempotency_key, user_id, name, email, phone } : undefined };
}

/**
 * Finds out who the client is. Platform is asked to make a user only for a conversion that would succeed, and nobody sees
 * the user before it has.
 */
export async function prepareConversion(
  means: PrepareContext,
  id: string,
  conversion: LeadConversion,
): Promise<Preparation> {
  const { read, rpc } = means;
  const { client } = conversion;
  const lead = await read((db) => prospect(db, id));
  if (lead.status !== 'open') return { deal_id: lead.converted_deal_id, clients: [] };
  if (client && 'id' in client) return { deal_id: null, clients: await askForClients(rpc, { client: client.id }) };
  const { email, phone } = client ? { email: client.email, phone: client.phone ?? lead.phone } : lead;
  const known = await read((db) => matchingClient(db, email));
  if (known && client?.password !== undefined) throw ClientHasAccount({ field: 'client.password' });
  if (known || !client) return { deal_id: null, clients: known ? [known] : [] };
  const deal_id = await convertAsDryRun(means, id, conversion);
  if (deal_id) return { deal_id, clients: [] };
  const { name, email: address, password = '' } = client;
  return { deal_id, ...(await askForNewClient(rpc, { name, email: address, phone: phone ?? '', password })) };
}

/**
 * Converts a lead; a second call finds the deal of the first.
 * @throws InvalidTransition when the lead is lost, NoPipeline
 */
export async function convertLead(
  work: CommandContext,
  id: string,
  { deal_name, price, copy, client: _, ...place }: LeadConversion,
  { deal_id: known, clients, new_client }: Preparation,
): Promise<{ created: boolean; deal_id: string }> {
  if (known) return { created: false, deal_id: known };
  const { db, caller, emit } = work;
  if (copy.includes('products') && (place.currency ?? caller.currency) !== caller.currency) {
    throw invalid('copy', 'The products of the lead have prices in another currency.');
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
    work,
    {
      ...place,
      pipeline_id: place.pipeline_id ?? lead.pipeline_id,
      name: deal_name ?? lead.name,
      price: price ?? lead.expected_value?.toFixed() ?? '0',
      phone: lead.phone,
      // Chosen: whoever worked on the lead goes on with the deal.
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

/** Copies the rows of a table from the lead to the deal. */
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
  // The stored object is shared; it is removed with the last row that names it.
  files: copyOf('files', ['key', 'name', 'size', 'mime']),
  discussions: copyOf('discussions', ['comment']),
  calls: copyOf('calls', ['subject', 'type', 'at', 'duration', 'assignee_id', 'description', 'result']),
  // Chosen: what still waits to be sent stays with the lead alone; a copy of it would be sent a second time.
  emails: copyOf(
    'emails',
    ['to', 'cc', 'subject', 'body', 'delivery', 'attempts', 'sent_at', 'failure'],
    sql`delivery <> 'queued'`,
  ),
};
