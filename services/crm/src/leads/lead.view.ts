/** Views of leads: in lists with expansions, and singly with all fields. */
import { sql } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { expandOne, type Expansion, one, readOne } from '@suite/chassis/lists';
import { z } from 'zod';
import { expansionsOf } from '../activities/activities/record.view.ts';
import { activityFields } from '../activities/activities/activity.schema.ts';
import { activityExpansions } from '../activities/activities/activity.view.ts';
import { fileUrl } from '../activities/files/file-operations.ts';
import { Totals } from '../activities/activities/page.schema.ts';
import { activityTotals } from '../activities/activities/page-operations.ts';
import type { Db } from '../operations.ts';
import { positionIn, POSITIONS } from '@suite/chassis/ranks';
import { UserLabel, userLabels } from '@suite/user-copies';
import { leadBoard } from '../pipeline/board/lead-board.ts';
import { Lead, LeadColumns, type LeadRow, type SavedLead } from './lead.schema.ts';

const Position = z.int().nullable();

/** Lead with its tasks, calls, notes, e-mails and files. */
export const LeadDetails = Lead.required({
  pipeline: true,
  stage: true,
  labels: true,
  sources: true,
  users: true,
  products: true,
})
  .extend({
    position: Position.describe(
      `Zero-based position in the column. \`null\` for a converted lead and below the first ${POSITIONS} of a column.`,
    ),
    ...activityFields,
    possible_clients: z
      .array(UserLabel)
      .describe('Clients with the phone number of the lead, at most 20. Pass one as `client.id` to convert the lead.'),
    totals: Totals.describe('Numbers of related records. Use their lists for the complete records.'),
  })
  .meta({ id: 'LeadDetails' });

/** Returns the expansions of a lead: fields that are loaded on demand. */
export const leadExpansions = (db: Db): Record<string, Expansion> => ({
  owner: one('owner_id', userLabels(db)),
  ...expansionsOf(db, leadBoard),
});

/** Adds the labels, sources and users of a lead for the response of a creation or update. */
export async function withMembers(db: Db, lead: LeadRow): Promise<z.input<typeof SavedLead>> {
  const { labels, sources, users } = expansionsOf(db, leadBoard) as Record<'labels' | 'sources' | 'users', Expansion>;
  await expandOne(lead, { table: 'leads', expand: { labels, sources, users } });
  return lead as z.input<typeof SavedLead>;
}

/** Position of a lead in its column. Like on the board, only leads visible to the caller count. */
const position = sql`SELECT CASE WHEN leads.status <> 'converted' THEN (${positionIn(sql`leads`, leadBoard.onShow)}) END`;

/** Returns a lead as in lists, with its position in the column. */
export const readPlacedLead = (db: Db, id: string) =>
  readOne(db, LeadColumns.extend({ position: Position }), id, {
    table: 'leads',
    compute: { position },
  });

/** Clients with the phone number of an open lead. A shared number does not prove that they are the same person. */
const possibleClients = (db: Db, { phone, status }: { phone: string | null; status: string }) => {
  const digits = phone?.replaceAll(/\D/g, '').replace(/^0+/, '');
  if (!digits || status !== 'open') return Promise.resolve([]);
  return db.rows<z.input<typeof UserLabel>>(sql`
    SELECT id, name, kind FROM users WHERE kind = 'client' AND status <> 'former' AND phone_digits = ${digits}
    ORDER BY name, id LIMIT 20`);
};

/** Returns a lead with all details. @throws NotFound if it does not exist or the caller cannot see it */
export async function showLead(db: Db, { caller, links }: { caller: Caller; links: FileLinks }, id: string) {
  const lead = await readOne(db, Lead.extend({ position: Position, ...activityFields }), id, {
    table: 'leads',
    compute: { position },
    expand: {
      ...leadExpansions(db),
      ...activityExpansions(db, caller, 'lead', (file) => fileUrl(links, 'lead', file)),
    },
  });
  const totals = await activityTotals(db, 'lead', id);
  const possible_clients = await possibleClients(db, lead);
  return { ...lead, totals, possible_clients } as z.input<typeof LeadDetails>;
}
