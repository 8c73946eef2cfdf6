/** Demo data of the support desk, created once for each workspace without tickets. */
import { randomUUID } from 'node:crypto';
import { type Database, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { seedRandom, type DemoWorkspace, insertRows, withIds } from '@suite/demo';
import { recordVerifiedEmail, upsertUserProfile } from '@suite/user-copies';
import { provideCannedReplies } from '../tickets/canned/default-replies.ts';
import { provideCategories } from '../tickets/categories/default-categories.ts';
import type { Db } from '../operations.ts';
import { provideSettings } from '../settings/settings/settings.ts';
import { providePolicy } from '../sla/sla/default-policy.ts';
import { storeTimers } from '../sla/timers/timer-rows.ts';
import { applySlaTargets } from './demo-sla-targets.ts';
import { addKnowledge } from './knowledge.ts';
import { addTicket, type DemoRows } from './demo-tickets.ts';

const SIZES = [
  { seed: 21, tickets: 80 },
  { seed: 22, tickets: 12 },
];
const AGENTS = ['owner', 'manager', 'agent'];

/**
 * Creates the initial data of a workspace and the copies of its users. Newer copies from platform events are preserved.
 */
async function prepare(db: Db, { users, name: workspace }: DemoWorkspace): Promise<void> {
  for (const { id: user_id, name, email, kind } of users) {
    await upsertUserProfile(db, { user_id, name, email, kind, phone: '', status: 'active' }, 0);
    await recordVerifiedEmail(db, user_id);
  }
  await provideSettings(db, workspace);
  await provideCategories(db);
  await provideCannedReplies(db);
  await providePolicy(db, 'Europe/Berlin');
  await addKnowledge(db, { users });
}

/** Adds demo data to a workspace. Returns the number of new tickets, or zero if tickets exist. */
async function fill(db: Db, { users }: DemoWorkspace, size: (typeof SIZES)[number]): Promise<number> {
  if ((await db.ticket.count()) > 0) return 0;
  seedRandom(size.seed);
  const colleagues = users.filter(({ kind }) => kind === 'owner' || kind === 'staff');
  const agents = colleagues.filter(({ role }) => AGENTS.includes(role));
  const categories = await db.category.findMany({ select: { id: true }, orderBy: { name: 'asc' } });
  const context = {
    now: clock.now(),
    agents: agents.length > 0 ? agents : colleagues,
    clients: users.filter(({ kind }) => kind === 'client'),
    category_ids: categories.map(({ id }) => id),
  };
  const rows: DemoRows = { tickets: [], replies: [], notes: [], activities: [] };
  for (let index = 0; index < size.tickets; index += 1) addTicket(rows, context, index);
  const clocks = await applySlaTargets(db, rows, context.now);
  await insertRows(db, 'tickets', rows.tickets);
  await storeTimers(db, { before: [], after: clocks });
  await insertRows(db, 'replies', rows.replies);
  await insertRows(db, 'ticket_notes', withIds(rows.notes));
  await insertRows(db, 'activities', withIds(rows.activities));
  await db.rows(sql`
    INSERT INTO number_counters (type, year, last) VALUES ('ticket', 0, ${size.tickets})
    ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = EXCLUDED.last`);
  return size.tickets;
}

/** Fills the demo workspaces, the first one with the most records. Returns a summary. */
export async function seedDemo(database: Database<Db>, workspaces: readonly DemoWorkspace[]): Promise<string> {
  let created = 0;
  for (const [index, workspace] of workspaces.entries()) {
    const context = { workspace_id: workspace.id, caller: null, operation: 'cli:demo', request_id: randomUUID() };
    await database.write(context, (db) => prepare(db, workspace));
    created += await database.write(context, (db) => fill(db, workspace, SIZES[index] ?? SIZES[1]!));
  }
  return created > 0 ? `${created} tickets are there.` : 'The support demo data already exists.';
}
