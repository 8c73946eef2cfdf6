/** Rows of a demo workspace, collected first and inserted in few statements. */
import type { Prisma } from '../generated/client.ts';
import type { Db } from '../operations.ts';

/** Rows to insert, by table. */
export interface DemoRows {
  leads: Prisma.LeadCreateManyInput[];
  deals: Prisma.DealCreateManyInput[];
  tasks: Prisma.TaskCreateManyInput[];
  calls: Prisma.CallCreateManyInput[];
  discussions: Prisma.DiscussionCreateManyInput[];
  emails: Prisma.EmailCreateManyInput[];
  stage_changes: Prisma.StageChangeCreateManyInput[];
  activities: Prisma.ActivityCreateManyInput[];
  lead_labels: Prisma.LeadLabelCreateManyInput[];
  lead_sources: Prisma.LeadSourceCreateManyInput[];
  lead_users: Prisma.LeadUserCreateManyInput[];
  deal_labels: Prisma.DealLabelCreateManyInput[];
  deal_sources: Prisma.DealSourceCreateManyInput[];
  deal_users: Prisma.DealUserCreateManyInput[];
  deal_clients: Prisma.DealClientCreateManyInput[];
  opportunities: Prisma.OpportunityCreateManyInput[];
  meetings: Prisma.MeetingCreateManyInput[];
  attendees: Prisma.MeetingAttendeeCreateManyInput[];
}

export const noDemoRows = (): DemoRows => ({
  leads: [],
  deals: [],
  tasks: [],
  calls: [],
  discussions: [],
  emails: [],
  stage_changes: [],
  activities: [],
  lead_labels: [],
  lead_sources: [],
  lead_users: [],
  deal_labels: [],
  deal_sources: [],
  deal_users: [],
  deal_clients: [],
  opportunities: [],
  meetings: [],
  attendees: [],
});

const time = (at: Date | string | undefined): number => new Date(at ?? 0).getTime();

/**
 * Sorts the cards by the time that they reached their stage, so that the last is on top. Sets the last activity of
 * each.
 */
function settled<Card extends Prisma.LeadCreateManyInput | Prisma.DealCreateManyInput>(
  cards: Card[],
  lastActivity: ReadonlyMap<string, Date>,
): Card[] {
  return cards
    .map((card) => {
      const last_activity_at = lastActivity.get(card.id as string) as Date;
      return { ...card, last_activity_at, updated_at: last_activity_at, updated_by: card.created_by ?? null };
    })
    .toSorted((a, b) => time(a.stage_since) - time(b.stage_since));
}

/** Inserts all rows, table by table. */
export async function insertDemoRows(db: Db, book: DemoRows): Promise<void> {
  const lastActivity = new Map<string, Date>();
  for (const { lead_id, deal_id, at } of book.activities) {
    const id = (lead_id ?? deal_id) as string;
    if (time(at) >= time(lastActivity.get(id))) lastActivity.set(id, at as Date);
  }
  // A converted lead references its deal. The foreign key is checked when the transaction ends.
  await db.lead.createMany({ data: settled(book.leads, lastActivity) });
  await db.deal.createMany({ data: settled(book.deals, lastActivity) });
  await db.task.createMany({ data: book.tasks });
  await db.call.createMany({ data: book.calls });
  await db.discussion.createMany({ data: book.discussions });
  await db.email.createMany({ data: book.emails });
  await db.stageChange.createMany({ data: book.stage_changes });
  await db.activity.createMany({ data: book.activities });
  await db.leadLabel.createMany({ data: book.lead_labels });
  await db.leadSource.createMany({ data: book.lead_sources });
  await db.leadUser.createMany({ data: book.lead_users });
  await db.dealLabel.createMany({ data: book.deal_labels });
  await db.dealSource.createMany({ data: book.deal_sources });
  await db.dealUser.createMany({ data: book.deal_users });
  await db.dealClient.createMany({ data: book.deal_clients });
  await db.opportunity.createMany({ data: book.opportunities });
  await db.meeting.createMany({ data: book.meetings });
  await db.meetingAttendee.createMany({ data: book.attendees });
}
