/** Leads, deals, opportunities and meetings of the demo, created once for each workspace without any. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../operations.ts';
import { serializeOn } from '../pipeline/board/order.ts';
import { upsertUserProfile } from '@suite/user-copies';
import { noDemoRows, insertDemoRows } from './demo-rows.ts';
import { readCatalogue, createPipelines } from './catalogue.ts';
import { addDeal } from './demo-deals.ts';
import { seedRandom, type DemoUser, type DemoWorkspace } from '@suite/demo';
import { addLead, type ConvertedLead, finalStatusOf, type DemoContext } from './demo-leads.ts';
import { addMeeting, addOpportunity } from './demo-sales.ts';

/** Number of records in a demo workspace. */
interface DemoSize {
  seed: number;
  partners: boolean;
  leads: number;
  converted: number;
  lost: number;
  deals: number;
  opportunities: number;
  meetings: number;
}

const LARGE: DemoSize = {
  seed: 1,
  partners: true,
  leads: 150,
  converted: 18,
  lost: 20,
  deals: 40,
  opportunities: 24,
  meetings: 45,
};
const SMALL: DemoSize = {
  seed: 2,
  partners: false,
  leads: 12,
  converted: 2,
  lost: 2,
  deals: 5,
  opportunities: 4,
  meetings: 6,
};

/** Relative sales volume by role. Roles that are not listed sell nothing. */
const SALES: Record<string, number> = { owner: 1, manager: 2, sales: 5, staff: 2 };

/**
 * Returns the IDs of users who sell, repeated by their sales volume. If no role sells, returns all owners and staff.
 */
function sellersAmong(users: readonly DemoUser[]): string[] {
  const colleagues = users.filter(({ kind }) => kind === 'owner' || kind === 'staff');
  const sellers = colleagues.flatMap(({ id, role }) => Array.from({ length: SALES[role] ?? 0 }, () => id));
  const found = sellers.length > 0 ? sellers : colleagues.map(({ id }) => id);
  if (found.length === 0) throw new Error('No user can own leads. Add an owner or a staff user to the workspace.');
  return found;
}

/** Inserts copies of the users. Copies from platform's events are newer and remain. */
async function upsertUsers(db: Db, users: readonly DemoUser[]): Promise<void> {
  for (const { id: user_id, name, email, kind } of users) {
    await upsertUserProfile(db, { user_id, name, email, kind, phone: '', status: 'active' }, 0);
  }
}

/**
 * Creates the records that platform's events also create. A separate transaction, so that events do not wait for the
 * whole demo.
 */
async function prepare(db: Db, { users }: DemoWorkspace, extent: DemoSize): Promise<void> {
  await serializeOn(db, 'demo');
  await upsertUsers(db, users);
  if ((await db.lead.count()) === 0) await createPipelines(db, extent.partners);
}

/** Fills a workspace. Returns the number of created leads: 0 if the workspace already has some. */
async function fill(db: Db, { currency, users }: DemoWorkspace, extent: DemoSize): Promise<number> {
  await serializeOn(db, 'demo');
  if ((await db.lead.count()) > 0) return 0;
  seedRandom(extent.seed);
  const client_ids = users.filter(({ kind }) => kind === 'client').map(({ id }) => id);
  const context: DemoContext = {
    ...(await readCatalogue(db)),
    now: clock.now(),
    currency,
    sellers: sellersAmong(users),
    client_ids,
  };
  const book = noDemoRows();
  const converted: ConvertedLead[] = [];
  for (let index = 0; index < extent.leads; index += 1) {
    const became = addLead(book, context, finalStatusOf(index, extent));
    if (became) converted.push(became);
  }
  for (let index = 0; index < extent.deals; index += 1) addDeal(book, context, converted[index]);
  for (let index = 0; index < extent.opportunities; index += 1) addOpportunity(book, context);
  for (let index = 0; index < extent.meetings; index += 1) addMeeting(book, context);
  await insertDemoRows(db, book);
  return extent.leads;
}

/** Fills the first workspace with half a year of work and the others with a few records. Returns a summary. */
export async function seedDemo(database: Database<Db>, workspaces: readonly DemoWorkspace[]): Promise<string> {
  let made = 0;
  for (const [index, workspace] of workspaces.entries()) {
    const context = { workspace_id: workspace.id, caller: null, operation: 'cli:demo', request_id: randomUUID() };
    const extent = index === 0 ? LARGE : SMALL;
    await database.write(context, (db) => prepare(db, workspace, extent));
    made += await database.write(context, (db) => fill(db, workspace, extent));
  }
  return made > 0 ? `The demo has ${made} leads, and deals.` : 'The demo has its leads already.';
}
