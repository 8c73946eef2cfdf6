/** Schedule that announces near and actual breaches of SLA targets, each once, however late it runs. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import { TicketSlaBreached, TicketSlaNearBreach } from '@suite/proto/support/v1/events';
import { minuteAt } from '@suite/time-zones';
import { recordActivities } from '../../settings/activities/activity.ts';
import { announcementsOf, storeTimers, type StoredTimer, readTimers } from '../../sla/timers/timer-rows.ts';
import { queueMail } from '../../emails/outbound-mail/mail.ts';
import type { Db } from '../../operations.ts';
import { type Announcement, dueAnnouncements } from '../../sla/sla/announcement.rules.ts';
import type { ChangeContext } from '../ticket-states/ticket-change.ts';

const SCHEDULE = 'support.announce-sla';
const BATCH = 100;

interface TicketSubject {
  id: string;
  number: string;
  subject: string;
  status: string;
  requester_user_id: string | null;
  assignee_id: string | null;
  category_id: string | null;
}

interface DueAnnouncement extends Announcement {
  timer: StoredTimer;
}

/** Locks a ticket. Returns undefined for a deleted ticket, which announces nothing. */
async function lockSubject(db: Db, id: string): Promise<TicketSubject | undefined> {
  const [subject] = await db.rows<TicketSubject>(sql`
    SELECT id, number, subject, status, requester_user_id, assignee_id, category_id FROM tickets
    WHERE id = ${id}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`);
  return subject;
}

/**
 * Returns the user responsible for a ticket: its assignee, or its category's default assignee. The requester never gets
 * SLA notices.
 */
async function recipientOf(db: Db, { assignee_id, category_id, requester_user_id }: TicketSubject) {
  const [user] = await db.rows<{ name: string; email: string | null }>(sql`
    SELECT users.name, users.email FROM users WHERE users.status = 'active' AND users.id = coalesce(${assignee_id}::uuid,
      (SELECT default_assignee FROM categories WHERE categories.id = ${category_id}::uuid))
      AND users.id IS DISTINCT FROM ${requester_user_id}::uuid`);
  return user;
}

const TARGET_NAMES = {
  first_response: 'first response to',
  resolution: 'resolution of',
  next_response: 'next response to',
};

async function notify(db: Db, subject: TicketSubject, { kind, timer, at }: DueAnnouncement): Promise<void> {
  const user = await recipientOf(db, subject);
  if (!user?.email) return;
  const target = TARGET_NAMES[timer.clock.target];
  const zone = timer.clock.terms?.calendar.timezone ?? 'UTC';
  const time = minuteAt(at, zone);
  const state = kind === 'breached' ? `has been overdue since ${time} (${zone})` : 'is due soon';
  const body = `Hello ${user.name},\n\nThe ${target} ticket ${subject.number} ${state}: ${subject.subject}`;
  await queueMail(db, subject, { kind: 'sla_notice', to: user.email, body });
}

async function announce({ db, emit }: ChangeContext, subject: TicketSubject, due: DueAnnouncement): Promise<void> {
  const { id: ticket_id, number, status } = subject;
  const { kind, at, timer } = due;
  const { target, run } = timer.clock;
  const moment = new Date(at).toISOString();
  if (kind === 'breached') emit(TicketSlaBreached, { ticket_id, number, status, target, run, breached_at: moment });
  else emit(TicketSlaNearBreach, { ticket_id, number, status, target, run, at: moment });
  await recordActivities(db, [{ ticket_id, verb: `sla_${kind}`, diff: { target: [null, target] }, at: new Date(at) }]);
  await notify(db, subject, due);
}

/** Returns a timer after its announcement. */
const withAnnouncement = ({ timer, kind, at }: DueAnnouncement): StoredTimer =>
  kind === 'breached'
    ? { ...timer, told_at: at, clock: { ...timer.clock, breached_at: at } }
    : { ...timer, warned_at: at };

/**
 * Announces the due SLA events of a ticket in order of occurrence. The condition is checked again under the lock: an
 * earlier reply takes precedence, and a repeated run finds nothing.
 */
async function announceTicket(context: ChangeContext, id: string): Promise<number> {
  const { db } = context;
  const now = clock.now().getTime();
  const subject = await lockSubject(db, id);
  const before = await readTimers(db, [id]);
  if (!subject) await storeTimers(db, { before, after: before, isSilent: true });
  if (!subject) return 0;
  const due = before
    .flatMap((timer) =>
      dueAnnouncements(timer.clock, announcementsOf(timer), now).map((announcement) => ({ ...announcement, timer })),
    )
    .toSorted((one, other) => one.at - other.at);
  for (const announcement of due) await announce(context, subject, announcement);
  await storeTimers(db, { before, after: due.map(withAnnouncement) });
  return due.length;
}

/** Announces due events, earliest first. Returns the number of announcements. */
export async function announceDueTargets(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  let announced = 0;
  for (let progress = -1; progress !== 0; ) {
    const before = announced;
    const due = await findEverywhere<{ id: string; workspace_id: string }>(
      database,
      SCHEDULE,
      rotateByWorkspace(
        sql`
        SELECT ticket_id AS id, workspace_id, next_moment FROM ticket_clocks
        WHERE next_moment <= ${clock.now()} AND ${isNotPostponed(SCHEDULE, sql`workspace_id`, sql`ticket_id`)}`,
        sql`next_moment, id`,
        BATCH,
      ),
    );
    const failed = await runDueWork(tools, SCHEDULE, due, async ({ id, workspace_id }) => {
      announced += await database.write(jobTransaction(SCHEDULE, workspace_id), (db, emit) =>
        announceTicket({ db, emit, caller: null }, id),
      );
    });
    progress = announced - before + failed;
  }
  return announced;
}

export const announceDueRegularly = declareSchedule(SCHEDULE, 15_000, announceDueTargets);
