/** Choices of the sales forms. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { z } from 'zod';
import { CHOICES_MAX } from '../references/choices.ts';
import type { Db, Rpc } from '../../operations.ts';
import { customerChoices } from '../references/customer.ts';
import { ParentType } from '../meetings/meeting.schema.ts';
import { OpportunityStage } from '../opportunities/opportunity.schema.ts';
import { viewOf } from '../meetings/parents.ts';
import type { SalesChoices } from './sales-app.schema.ts';
import { activeWarehouses } from '../references/warehouses.ts';
import { selectableUsers } from '@suite/user-copies';

type SalesFormChoices = z.input<typeof SalesChoices>;

/** Returns the choices from other services. Called before the transaction. */
export async function fetchChoices(rpc: Rpc) {
  const [customers, warehouses] = await Promise.all([customerChoices(rpc), activeWarehouses(rpc)]);
  return {
    customers: customers.map(({ customer_id: id, name, company, email, currency }) => ({
      id,
      name,
      company,
      email,
      currency,
    })),
    warehouses: warehouses.map(({ warehouse_id: id, name, code, is_default }) => ({ id, name, code, is_default })),
  };
}

/** Returns all choices of a sales form, limited to what the caller may see. */
export async function salesChoices(
  db: Db,
  caller: Caller,
  foreign: Pick<SalesFormChoices, 'customers' | 'warehouses'>,
): Promise<SalesFormChoices> {
  const canSee = (permission: string) => sql`${caller.permissions.includes(permission)}`;
  return {
    warehouses: foreign.warehouses,
    customers: caller.permissions.includes(viewOf.customer) ? foreign.customers : [],
    opportunity_stages: [...OpportunityStage.options],
    parent_types: ParentType.options.filter((type) => caller.permissions.includes(viewOf[type])),
    users: await db.rows(
      sql`SELECT id, name, kind, email FROM users WHERE ${selectableUsers} ORDER BY name, id LIMIT ${CHOICES_MAX}`,
    ),
    sources: await db.rows(sql`SELECT id, name FROM sources ORDER BY name, id LIMIT ${CHOICES_MAX}`),
    opportunities: await db.rows(sql`
      SELECT id, name, customer_id FROM opportunities
      WHERE closed_at IS NULL AND ${canSee('opportunity.view')}
      ORDER BY updated_at DESC, id DESC LIMIT ${CHOICES_MAX}`),
    quotes: await db.rows(sql`
      SELECT id, number || ' ' || customer_name AS name, customer_id FROM quotes
      WHERE status = 'accepted' AND ${canSee('quote.view')}
      ORDER BY updated_at DESC, id DESC LIMIT ${CHOICES_MAX}`),
    currency: caller.currency,
    timezone: caller.timezone,
  };
}
