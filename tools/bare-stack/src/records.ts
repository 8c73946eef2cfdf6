/** Customers and leads: lists by page and by cursor, a record by its ID, and a new one. */
import { main } from './databases.ts';
import type { Prisma } from './generated/client.ts';

/** The query string of a list. */
export interface ListQuery {
  page?: string;
  per_page?: string;
  cursor?: string;
  q?: string;
  active?: string;
  status?: string;
  /** Set to `none` to omit the total. */
  count?: string;
}

interface PagePosition {
  created_at: Date;
  id: string;
}

/** Returns the condition for rows after a cursor, newest first. */
function afterCursor(cursor: string) {
  const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, string];
  const created_at = new Date(at);
  return { created_at: { lte: created_at }, OR: [{ created_at: { lt: created_at } }, { id: { lt: id } }] };
}

const ORDER = [{ created_at: 'desc' as const }, { id: 'desc' as const }];

/** Returns the range of a list. Reads one row more than shown, to detect if there are more. */
export function windowOf({ page = '1', per_page = '20' }: ListQuery) {
  return { skip: (Number(page) - 1) * Number(per_page), take: Number(per_page) + 1, orderBy: ORDER };
}

/** Returns a page as JSON. */
export function pageOf<Row extends PagePosition>(
  { page = '1', per_page = '20' }: ListQuery,
  found: Row[],
  total: number | null,
) {
  const rows = found.slice(0, Number(per_page));
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  const next_cursor = last && Buffer.from(JSON.stringify([last.created_at, last.id])).toString('base64url');
  return {
    data: rows,
    meta: { page: Number(page), per_page: Number(per_page), total, next_cursor: next_cursor ?? null },
  };
}

export async function listCustomers(query: ListQuery) {
  const { cursor, q, active = 'true', count } = query;
  const matching: Prisma.CustomerWhereInput = {
    active: active === 'true',
    ...(q && { name: { contains: q, mode: 'insensitive' } }),
  };
  const where = cursor ? { AND: [matching, afterCursor(cursor)] } : matching;
  const [found, total] = await Promise.all([
    main.customer.findMany({ where, ...windowOf(query) }),
    cursor || count === 'none' ? null : main.customer.count({ where: matching }),
  ]);
  return pageOf(query, found, total);
}

export async function listLeads(query: ListQuery) {
  const { cursor, status = 'open', count } = query;
  const where = cursor ? { AND: [{ status }, afterCursor(cursor)] } : { status };
  const [found, total] = await Promise.all([
    main.lead.findMany({ where, ...windowOf(query) }),
    cursor || count === 'none' ? null : main.lead.count({ where: { status } }),
  ]);
  return pageOf(query, found, total);
}

export const showCustomer = (id: string) => main.customer.findFirstOrThrow({ where: { id } });
export const showLead = (id: string) => main.lead.findFirstOrThrow({ where: { id } });

export const createCustomer = (body: Prisma.CustomerCreateInput) => main.customer.create({ data: body });

/** Owner of all leads, because the bare stack has no sign-in. */
const OWNER = '00000000-0000-7000-8000-000000000001';

export async function createLead(body: Omit<Prisma.LeadUncheckedCreateInput, 'stage_id' | 'owner_id'>) {
  const { id: stage_id } = await main.stage.findFirstOrThrow({ select: { id: true }, orderBy: { position: 'asc' } });
  return await main.lead.create({ data: { ...body, stage_id, owner_id: OWNER } });
}
